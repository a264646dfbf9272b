import { OnChainEvent, OnChainEventType } from '@farcaster/core';
import { derive } from '../../src/sample/random.js';
import { cases } from './front.js';
import { LEGACY, OF_2024, oldestHash, showStores, showUnits } from './limit.js';
import { HTTP_FID } from './reason.js';

const { EVENT_TYPE_ID_REGISTER, EVENT_TYPE_SIGNER, EVENT_TYPE_SIGNER_MIGRATED, EVENT_TYPE_STORAGE_RENT } =
  OnChainEventType;

const migrated = OnChainEvent.create({
  type: EVENT_TYPE_SIGNER_MIGRATED,
  chainId: 10,
  blockNumber: 111_816_370,
  blockHash: derive('peer case', 'migrated block'),
  blockTimestamp: 1_699_232_517,
  transactionHash: derive('peer case', 'migrated'),
  fid: 0,
  signerMigratedEventBody: { migratedAt: 1_699_232_517 },
});

const CHECK_PORT = 'It is a function of hubble that opens a connection to a port of its own; no call reaches it.';
const SEVEN_STORES =
  'hubble had no loans of storage; snapchain has this seventh store. Over HTTP the contract has six.';

export const HUBBLE_SERVER = cases({
  peer: 'hubble',
  file: 'server.test.ts',
  id: 'hubble-server',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob] = [front.stranger('alice'), front.stranger('bob')];
    const second = alice.withKey(1);
    await front.write({
      registration: alice.register(),
      firstKey: await alice.addSigner(),
      rent: alice.rent(1, LEGACY),
      ofBob: bob.register(),
      secondKey: await second.addSigner(),
      migration: { kind: 'onchain', event: migrated },
    });
    const { verification, cast } = await front.write({
      verification: await alice.verifyEthereum(alice.wallet(1)),
      cast: alice.cast({ text: 'older' }),
      newer: alice.cast({ text: 'newer' }),
    });
    return { front, alice, fid: alice.fid, bob: bob.fid, verification, cast };
  },
  rows: [
    {
      title: 'registrations of an account, and none of another',
      theirs: '[registration]',
      call: 'getOnChainEvents',
      request: ({ fid }) => ({ fid, eventType: EVENT_TYPE_ID_REGISTER }),
    },
    {
      title: 'keys of an account, in the order of the chain',
      theirs: '[firstKey, secondKey]',
      call: 'getOnChainEvents',
      request: ({ fid }) => ({ fid, eventType: EVENT_TYPE_SIGNER }),
    },
    {
      title: 'the migration of keys, which is of the account 0',
      theirs: '[migration]',
      other: '400 bad_request.invalid_param',
      reason: HTTP_FID,
      call: 'getOnChainEvents',
      request: () => ({ fid: 0, eventType: EVENT_TYPE_SIGNER_MIGRATED }),
    },
    {
      title: 'rents of an account without any',
      theirs: '[]',
      call: 'getOnChainEvents',
      request: ({ bob }) => ({ fid: bob, eventType: EVENT_TYPE_STORAGE_RENT }),
    },
    {
      title: 'the only rent of an account',
      theirs: '[rent]',
      call: 'getOnChainEvents',
      request: ({ fid }) => ({ fid, eventType: EVENT_TYPE_STORAGE_RENT }),
    },
    {
      title: 'an account without storage: no units',
      theirs: '0',
      call: 'getCurrentStorageLimitsByFid',
      show: ({ units }) => String(units),
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'an account without storage: six limits of 0',
      theirs: '0, 0, 0, 0, 0, 0',
      ours: '0, 0, 0, 0, 0, 0, 0',
      other: '0, 0, 0, 0, 0, 0',
      reason: SEVEN_STORES,
      call: 'getCurrentStorageLimitsByFid',
      show: ({ limits }) => limits.map(({ limit }: { limit: number }) => limit).join(', '),
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'an account with a legacy unit: one unit',
      theirs: '1',
      call: 'getCurrentStorageLimitsByFid',
      show: ({ units }) => String(units),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used of a legacy unit: casts',
      theirs: 'CASTS 2 of 5000',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'CASTS'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used of a legacy unit: reactions',
      theirs: 'REACTIONS 0 of 2500',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'REACTIONS'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used of a legacy unit: links',
      theirs: 'LINKS 0 of 2500',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'LINKS'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used of a legacy unit: user data',
      theirs: 'USER_DATA 0 of 50',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'USER_DATA'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used of a legacy unit: verifications',
      theirs: 'VERIFICATIONS 1 of 25',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'VERIFICATIONS'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used of a legacy unit: username proofs',
      theirs: 'USERNAME_PROOFS 0 of 5',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'USERNAME_PROOFS'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the oldest messages of the stores that have any',
      theirs: 'cast, verification',
      call: 'getCurrentStorageLimitsByFid',
      show: (body, { front }) =>
        ['CASTS', 'VERIFICATIONS'].map((name) => front.labels.hash(oldestHash(body, name))).join(', '),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'two more units of 2024: the units',
      theirs: '1 + 2 + 0',
      call: 'getCurrentStorageLimitsByFid',
      show: showUnits,
      request: async ({ front, alice, fid }, surface) => {
        if (surface === 'grpc') await front.store(alice.rent(2, OF_2024));
        return { fid };
      },
    },
    {
      title: 'two more units of 2024: all limits are the sum over the units',
      theirs: '9000, 4500, 4500, 150, 75, 15',
      ours: '9000, 4500, 4500, 150, 75, 15, 3',
      other: '9000, 4500, 4500, 150, 75, 15',
      reason: SEVEN_STORES,
      call: 'getCurrentStorageLimitsByFid',
      show: ({ limits }) => limits.map(({ limit }: { limit: number }) => limit).join(', '),
      request: ({ fid }) => ({ fid }),
    },
    { title: 'a port that is open', theirs: 'open', nothing: CHECK_PORT },
    { title: 'a port that is closed', theirs: 'an error', nothing: CHECK_PORT },
  ],
});

const NO_SYNC =
  'This service follows a hub by its events and does not sync tries, so there is nothing to start, stop or watch.';

export const HUBBLE_SYNC = cases({
  peer: 'hubble',
  file: 'syncService.test.ts',
  id: 'hubble-sync',
  over: 'grpc',
  state: async (front) => {
    const count = async () => {
      const { body } = await front.http({ path: 'info', query: { dbstats: true } });
      return body.dbStats as { numMessages: number; numFidEvents: number; numFnameEvents: number };
    };
    const before = await count();
    const alice = await front.account('alice');
    await front.store(alice.cast({ text: '1' }), alice.cast({ text: '2' }));
    return { before };
  },
  rows: [
    {
      title: 'the numbers of messages and registrations: two casts, three events of the chain, one registration',
      theirs: '5 messages, 1 registration',
      ours: '2 messages, 1 registration',
      reason: 'hubble counted the leaves of its trie, and so the events of the chain; here they are messages only.',
      call: 'getInfo',
      show: ({ dbStats }, { before }) => {
        const registrations = dbStats.numFidEvents ?? dbStats.numFidRegistrations;
        return `${dbStats.numMessages - before.numMessages} messages, ${registrations - before.numFidEvents} registration`;
      },
    },
    {
      title: 'the state of the sync',
      theirs: 'not syncing',
      ours: 'UNIMPLEMENTED',
      other: null,
      reason: NO_SYNC,
      call: 'getSyncStatus',
    },
    {
      title: 'the end of the sync',
      theirs: 'not syncing',
      ours: 'UNIMPLEMENTED',
      other: null,
      reason: NO_SYNC,
      call: 'stopSync',
    },
    {
      title: 'a sync with a peer that is not known',
      theirs: 'INVALID_ARGUMENT bad_request',
      ours: 'UNIMPLEMENTED',
      other: null,
      reason: NO_SYNC,
      call: 'forceSync',
    },
  ],
});

const BUFFER = 'It is a buffer for one stream inside of hubble. Here a slow reader reads the database at its own pace.';

export const HUBBLE_BUFFER = cases({
  peer: 'hubble',
  file: 'bufferedStreamWriter.test.ts',
  id: 'hubble-buffer',
  over: 'grpc',
  state: async () => ({}),
  rows: [
    { title: 'what a full stream does not take is kept and sent later', theirs: 'sent later', nothing: BUFFER },
    { title: 'a stream is ended when the buffer is full', theirs: 'ended', nothing: BUFFER },
    { title: 'a write that fails while the buffer empties', theirs: 'kept', nothing: BUFFER },
  ],
});
