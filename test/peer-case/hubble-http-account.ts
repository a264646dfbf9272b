import { OnChainEventType } from '@farcaster/core';
import { toHex } from '../../src/hex.js';
import { cases } from './front.js';

const SYNC = 'This service does not sync tries, so there is nothing to stop.';
const LIST = 'The contract has a list with the one message.';

export const HUBBLE_HTTP_ACCOUNT = cases({
  peer: 'hubble',
  file: 'httpServer.test.ts',
  id: 'hubble-http-account',
  over: 'http',
  state: async (front) => {
    const [alice, bob] = [front.stranger('alice'), await front.account('bob')];
    const { registration } = await front.write({
      registration: alice.register(),
      key: await alice.addSigner(),
      rent: alice.rent(1),
    });
    await front.store(await alice.ensProof('over-http.eth'));
    await front.write({
      ofEthereum: await bob.verifyEthereum(bob.wallet(1)),
      ofSolana: bob.verifySolana(bob.solanaKey(0)),
    });
    return { front, alice, bob, fid: alice.fid, registration };
  },
  rows: [
    {
      title: 'the proof of an ENS name',
      theirs: 'over-http.eth of alice',
      call: 'getUsernameProof',
      request: () => ({ name: Buffer.from('over-http.eth') }),
    },
    {
      title: 'the proofs of an account',
      theirs: '[over-http.eth of alice]',
      call: 'getUserNameProofsByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the verification of an Ethereum address',
      theirs: 'ofEthereum',
      ours: '[ofEthereum]',
      other: 'ofEthereum',
      reason: LIST,
      call: 'getVerification',
      request: ({ bob }) => ({ fid: bob.fid, address: bob.wallet(1).address }),
    },
    {
      title: 'the verification of a Solana address, in base58',
      theirs: 'ofSolana',
      ours: '[ofSolana]',
      other: 'ofSolana',
      reason: LIST,
      call: 'getVerification',
      request: ({ bob }) => ({ fid: bob.fid, address: bob.solanaKey(0).publicKey }),
    },
    {
      title: 'all verifications of an account',
      theirs: '[ofEthereum, ofSolana]',
      call: 'getVerificationsByFid',
      request: ({ bob }) => ({ fid: bob.fid }),
    },
    {
      title: 'one verification, with the member of former clients, verificationAddEthAddressBody',
      theirs: 'there',
      other: null,
      call: 'getVerification',
      run: async ({ front, bob }) => {
        const query = { fid: bob.fid, address: toHex(bob.wallet(1).address) };
        const { body } = await front.http({ path: 'verificationsByFid', query });
        return 'verificationAddEthAddressBody' in body.messages[0].data ? 'there' : 'absent';
      },
    },
    {
      title: 'all verifications, with the member of former clients, verificationAddEthAddressBody',
      theirs: 'there',
      other: null,
      call: 'getVerificationsByFid',
      run: async ({ front, bob }) => {
        const { body } = await front.http({ path: 'verificationsByFid', query: { fid: bob.fid } });
        return body.messages.some(({ data }: { data: object }) => 'verificationAddEthAddressBody' in data)
          ? 'there'
          : 'absent';
      },
    },
    {
      title: 'one key of an account',
      theirs: 'key',
      call: 'getOnChainSigner',
      request: ({ alice }) => ({ fid: alice.fid, signer: alice.signer }),
    },
    {
      title: 'all keys of an account',
      theirs: '[key]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'events of a type that is a number',
      theirs: '[key]',
      call: 'getOnChainEvents',
      request: ({ fid }) => ({ fid, eventType: OnChainEventType.EVENT_TYPE_SIGNER }),
    },
    {
      title: 'events of a type that is a name',
      theirs: '[key]',
      other: null,
      call: 'getOnChainEvents',
      run: async ({ front, fid }) => {
        const query = { fid, event_type: 'EVENT_TYPE_SIGNER' };
        const { body } = await front.http({ path: 'onChainEventsByFid', query });
        return `[${body.events.map((event: never) => front.labels.event(event)).join(', ')}]`;
      },
    },
    {
      title: 'the registration of the account that an address holds',
      theirs: 'registration',
      call: 'getIdRegistryOnChainEventByAddress',
      request: ({ alice }) => ({ address: alice.custody.address }),
    },
    {
      title: 'the end of a sync',
      theirs: 'not syncing',
      ours: '404',
      other: 'UNIMPLEMENTED',
      reason: SYNC,
      call: 'stopSync',
      run: async ({ front }, surface) => {
        if (surface === 'grpc') return front.ask({ name: 'stopSync', request: {} }, 'grpc');
        return String((await front.http({ path: 'stopSync', body: Buffer.from('{}') })).status);
      },
    },
  ],
});
