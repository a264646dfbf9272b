import { UserDataType } from '@farcaster/core';
import { encodeByteString } from '../../src/protocol/wire/wire.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { cases, type Front, list } from './front.js';
import { basic } from './hubble-submit.js';

/** @returns the bytes of a request with several messages */
const bulk = (...messages: readonly Signed[]): { wire: Uint8Array } => ({
  wire: Buffer.concat(messages.map(({ wire }) => encodeByteString(1, wire))),
});

interface BulkBody {
  readonly messages: readonly {
    readonly message?: { readonly hash: string };
    readonly messageError?: { readonly errCode: string };
    readonly hash?: string;
    readonly errCode?: string;
  }[];
}

/** @returns for each message its name, or the code of its refusal */
const showBulk = ({ messages }: BulkBody, front: Front): string =>
  list(
    messages.map(({ message, messageError, hash, errCode }) => {
      const code = messageError?.errCode ?? errCode;
      return code ?? front.labels.hash(message?.hash ?? hash ?? '');
    }),
  );

const FINER_CODE = 'The code of hubble, which says more; the words of snapchain, unknown fid, are in the text.';
const MESH = 'This service takes no part in the mesh of validators, so there is no view of it for anybody.';
const CLAIM =
  'It asks a function of the peer that knows a chain of its own; here proofs are checked when they are submitted.';
const REGISTRY = 'This service reads the name registry by itself, and does not ask it while a message waits.';

export const SNAPCHAIN_SUBMIT = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-submit',
  over: 'grpc',
  state: async (front) => {
    const alice = await front.account('alice');
    const { stored } = await front.write({ stored: alice.cast({ text: 'test' }) });
    return { front, alice, stored, stranger: front.stranger(), key: front.network.apiKey };
  },
  rows: [
    {
      title: 'a message of an account that is not registered',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.unknown_fid',
      reason: FINER_CODE,
      call: 'submitMessage',
      request: ({ stranger }) => stranger.cast({ text: 'test' }),
    },
    {
      title: 'a message that is stored already',
      theirs: 'INVALID_ARGUMENT bad_request.duplicate',
      call: 'submitMessage',
      request: ({ stored }) => stored,
    },
    {
      title: 'no password',
      theirs: 'UNAUTHENTICATED',
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '' }),
      request: ({ stranger }) => stranger.cast({ text: 'test' }),
    },
    {
      title: 'a user with the password of another',
      theirs: 'UNAUTHENTICATED',
      call: 'submitMessage',
      headers: () => ({ 'x-api-key': '', authorization: basic('of-another') }),
      request: ({ stranger }) => stranger.cast({ text: 'test' }),
    },
    {
      title: 'the second of two passwords, for an account that is not registered',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.unknown_fid',
      reason: FINER_CODE,
      call: 'submitMessage',
      headers: ({ key }) => ({ 'x-api-key': '', authorization: basic(key) }),
      request: ({ stranger }) => stranger.cast({ text: 'test' }),
    },
    {
      title: 'the view of the mesh without a password',
      theirs: 'UNAUTHENTICATED',
      ours: 'UNIMPLEMENTED',
      other: null,
      reason: MESH,
      call: 'getMeshView',
      headers: () => ({ 'x-api-key': '' }),
    },
    {
      title: 'the topology of the mesh without a password',
      theirs: 'UNAUTHENTICATED',
      ours: 'UNIMPLEMENTED',
      other: null,
      reason: MESH,
      call: 'getMeshTopology',
      headers: () => ({ 'x-api-key': '' }),
    },
    {
      title: 'the view of the mesh with a wrong password',
      theirs: 'UNAUTHENTICATED',
      ours: 'UNIMPLEMENTED',
      other: null,
      reason: MESH,
      call: 'getMeshView',
      headers: () => ({ 'x-api-key': '', authorization: basic('wrong') }),
    },
    {
      title: 'no messages',
      theirs: '[]',
      call: 'submitBulkMessages',
      show: (body, { front }) => showBulk(body, front),
      request: () => bulk(),
    },
    {
      title: 'two casts of a registered account',
      theirs: '[one, two]',
      call: 'submitBulkMessages',
      show: (body, { front }) => showBulk(body, front),
      request: ({ front, alice }) => {
        const { one, two } = front.name({ one: alice.cast({ text: 'test1' }), two: alice.cast({ text: 'test2' }) });
        return bulk(one, two);
      },
    },
    {
      title: 'a cast of a registered account, and one of an account that is not registered',
      theirs: '[one, bad_request.validation_failure]',
      ours: '[one, bad_request.unknown_fid]',
      reason: FINER_CODE,
      call: 'submitBulkMessages',
      show: (body, { front }) => showBulk(body, front),
      request: ({ front, alice, stranger }) =>
        bulk(front.name({ one: alice.cast({ text: 'test' }) }).one, stranger.cast({ text: 'test' })),
    },
    { title: 'the proof of an ENS name whose owner holds the account', theirs: 'good', nothing: CLAIM },
    { title: 'the proof of a Basename whose owner holds the account', theirs: 'good', nothing: CLAIM },
    { title: 'the proof of an ENS name with another owner', theirs: 'bad', nothing: CLAIM },
    { title: 'the proof of an ENS name for an account in the custody of another', theirs: 'bad', nothing: CLAIM },
    { title: 'the proof of an ENS name whose owner the account verified', theirs: 'good', nothing: CLAIM },
    {
      title: 'a Basename as the username before its proof',
      theirs: 'NOT_FOUND',
      ours: 'INVALID_ARGUMENT bad_request.validation_failure',
      reason:
        'The message is refused, and nothing is asked for that might be found; the text says that the proof is missing.',
      call: 'submitMessage',
      request: ({ alice }) => alice.userData(UserDataType.USERNAME, 'case.base.eth'),
    },
    {
      title: 'a Basename as the username after its proof',
      theirs: 'username',
      call: 'submitMessage',
      request: async ({ front }) => {
        const bob = await front.account('bob');
        const name = `case-${bob.fid}.base.eth`;
        await front.store(await bob.ensProof(name));
        return front.name({ username: bob.userData(UserDataType.USERNAME, name) }).username;
      },
    },
    {
      title: 'a name as the username before its proof',
      theirs: 'INVALID_ARGUMENT',
      call: 'submitMessage',
      request: ({ alice }) => alice.userData(UserDataType.USERNAME, 'acp'),
    },
    {
      title: 'a name whose proof the registry has already, which the peer asks meanwhile',
      theirs: 'username',
      nothing: REGISTRY,
    },
    {
      title: 'a verification is answered as it was sent',
      theirs: 'verification',
      call: 'submitMessage',
      request: async ({ front, alice }, surface) =>
        front.name({ verification: await alice.verifyEthereum(alice.wallet(surface === 'grpc' ? 1 : 2)) }).verification,
    },
    {
      title: 'the verification goes through the shard of the blocks to that of the account',
      theirs: 'one event',
      nothing: 'There is one shard: a verification is in force when it is answered.',
    },
    {
      title: 'a verified address as the primary one',
      theirs: 'primary',
      call: 'submitMessage',
      request: ({ front, alice }) => {
        const address = alice.wallet(1).account.address;
        return front.name({ primary: alice.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, address) })
          .primary;
      },
    },
    {
      title: 'the primary address ends with its verification',
      theirs: 'NOT_FOUND',
      call: 'getUserData',
      request: async ({ front, alice }, surface) => {
        if (surface === 'grpc') await front.store(alice.removeVerification(0, alice.wallet(1).address));
        return { fid: alice.fid, userDataType: UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM };
      },
    },
  ],
});
