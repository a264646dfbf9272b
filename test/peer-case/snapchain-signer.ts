import { MessageType } from '@farcaster/core';
import { toHex } from '../../src/hex.js';
import { fromUnixMs, toUnixMs } from '../../src/protocol/time.js';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import { keyAdd, keySelfRemove } from '../support/key-message.js';
import { cases, SEED } from './front.js';

interface Signer {
  readonly source: number | string;
  readonly key: string;
  readonly scopes?: readonly unknown[];
  readonly [member: string]: unknown;
}

const isOnchain = ({ source }: Signer): boolean => source === 1 || source === 'SIGNER_SOURCE_ONCHAIN';
const present = (signer: Signer, ...members: readonly string[]): string =>
  members.filter((member) => signer[member] !== undefined && signer[member] !== null).join(', ') || 'none';
const eventOf = ({ onchainEvent, onChainEvent }: Signer): unknown => onchainEvent ?? onChainEvent;
const nonces = ({ requesterFidNonces }: { requesterFidNonces?: Record<string, number> }): string =>
  Object.values(requesterFidNonces ?? {}).join(', ');

const TTL = 3_600;

export const SNAPCHAIN_SIGNER = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-signer',
  over: 'grpc',
  state: async (front) => {
    const [alice, app, other] = [
      await front.account('alice'),
      await front.account('app'),
      await front.account('other'),
    ];
    const key = signerKey(derive(SEED, 'by message', alice.fid));
    const at = fromUnixMs(Date.now()) - 5_000;
    const scopes = [MessageType.CAST_ADD, MessageType.REACTION_ADD];
    const add = (nonce: number) => keyAdd(alice, { key, nonce, app, at: at + nonce, scopes, ttl: TTL });
    return { front, alice, app, other, key, at, add, fid: alice.fid };
  },
  rows: [
    {
      title: 'a key of the chain: its account and the time at which it was added',
      theirs: 'onchain, fid, addedAt',
      call: 'getSigner',
      show: ({ signer }) => `${isOnchain(signer) ? 'onchain' : 'by message'}, ${present(signer, 'fid', 'addedAt')}`,
      request: ({ fid, alice }) => ({ fid, signer: alice.signer }),
    },
    {
      title: 'a key of the chain: its event, no scopes, and no last use',
      theirs: 'event, scopes 0, none',
      call: 'getSigner',
      show: ({ signer }) =>
        `${eventOf(signer) ? 'event' : 'no event'}, scopes ${signer.scopes?.length ?? 0}, ${present(signer, 'lastUsedAt')}`,
      request: ({ fid, alice }) => ({ fid, signer: alice.signer }),
    },
    {
      title: 'no nonces of an account that never used one, and none of apps that are not asked for',
      theirs: '0, ',
      call: 'getSignersByFid',
      show: (body) => `${body.currentUserNonce}, ${nonces(body)}`,
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'an app that never used a nonce',
      theirs: '0, 0',
      call: 'getSignersByFid',
      show: (body) => `${body.currentUserNonce}, ${nonces(body)}`,
      request: ({ fid, app }) => ({ fid, requesterFids: [app.fid] }),
    },
    {
      title: 'a key by message: ttl, nonce, the app that asked, scopes',
      theirs: '3600, 4, app, 2',
      call: 'getSigner',
      show: ({ signer }, { front }) =>
        [signer.ttl, signer.nonce, front.labels.fid(signer.requestFid), signer.scopes.length].join(', '),
      request: async ({ front, fid, key, add }, surface) => {
        if (surface === 'grpc') await front.store(await add(4));
        return { fid, signer: key.publicKey };
      },
    },
    {
      title: 'a key by message: the Unix time at which it was added',
      theirs: 'the time of its message',
      call: 'getSigner',
      show: ({ signer }, { at }) =>
        signer.addedAt === toUnixMs(at + 4) / 1000 ? 'the time of its message' : String(signer.addedAt),
      request: ({ fid, key }) => ({ fid, signer: key.publicKey }),
    },
    {
      title: 'a key by message that was never used: no last use, no end, no event',
      theirs: 'none',
      call: 'getSigner',
      show: ({ signer }) => present(signer, 'lastUsedAt', 'expiresAt', 'onchainEvent', 'onChainEvent'),
      request: ({ fid, key }) => ({ fid, signer: key.publicKey }),
    },
    {
      title: 'the keys of both kinds in one list',
      theirs: 'of the chain, by message',
      call: 'getSignersByFid',
      show: ({ signers }, { alice, key }) =>
        signers
          .map((signer: Signer) => {
            const name = isOnchain(signer) ? 'of the chain' : 'by message';
            const expected = toHex(isOnchain(signer) ? alice.signer : key.publicKey);
            return signer.key === expected ? name : signer.key;
          })
          .join(', '),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the number of keys by message, and how many there may be',
      theirs: '1 of 1000',
      call: 'getSignersByFid',
      show: ({ gaslessSignerCount, gaslessSignerLimit }) => `${gaslessSignerCount} of ${gaslessSignerLimit}`,
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'a key by message in the list: ttl, scopes, the app that asked',
      theirs: '3600, 2, app',
      call: 'getSignersByFid',
      show: ({ signers }, { front }) => {
        const found = signers.find((signer: Signer) => !isOnchain(signer));
        return [found.ttl, found.scopes.length, front.labels.fid(found.requestFid)].join(', ');
      },
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the last nonces of the account and of an app, also after the key is gone',
      theirs: '4, 9',
      call: 'getSignersByFid',
      show: (body) => `${body.currentUserNonce}, ${nonces(body)}`,
      request: async ({ front, fid, app, alice, key, at }, surface) => {
        if (surface === 'grpc') await front.store(keySelfRemove(alice, { key, nonce: 9, at: at + 100 }));
        return { fid, requesterFids: [app.fid] };
      },
    },
    {
      title: 'the last nonce of the account alone, no app is asked for',
      theirs: '4, ',
      call: 'getSignersByFid',
      show: (body) => `${body.currentUserNonce}, ${nonces(body)}`,
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the nonces of two apps, one of which never used one',
      theirs: '4, 9, 0',
      call: 'getSignersByFid',
      show: (body) => `${body.currentUserNonce}, ${nonces(body)}`,
      request: ({ fid, app, other }) => ({ fid, requesterFids: [app.fid, other.fid] }),
    },
  ],
});
