import { signerKey } from '../../src/sample/key.js';
import { signerEvent } from '../../src/sample/onchain.js';
import { derive } from '../../src/sample/random.js';
import { signedKeyRequest } from '../../src/sample/verification-claim.js';
import { cases, type Front, list, SEED } from './front.js';
import { LEGACY, OF_2024, showStores, showUnits } from './limit.js';
import { ONE_SHARD } from './reason.js';
import { newestId } from './stream.js';

const kinds = (body: Record<string, boolean>): string => {
  const names = {
    custody: ['isCustody', 'is_custody'],
    auth: ['isAuth', 'is_auth'],
    verified: ['isVerified', 'is_verified'],
  };
  return list(Object.entries(names).flatMap(([name, keys]) => (keys.some((key) => body[key]) ? [name] : [])));
};

/** @returns the registration of a key that signs in, and is no signer of messages */
const authKey = async (front: Front, fid: number, key: Uint8Array) => {
  const place = { seed: SEED, fid, at: front.clock.tick(), logIndex: 700 };
  const metadata = await signedKeyRequest(key, { fid, wallet: front.stranger().custody }, 4_000_000_000);
  return { kind: 'onchain', event: signerEvent(place, key, metadata, 2) } as const;
};

export const SNAPCHAIN_FIDS = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-fids',
  over: 'grpc',
  state: async (front) => {
    await front.store(...['first', 'second', 'third'].map((name) => front.stranger(name).register()));
    return {};
  },
  rows: [
    {
      title: 'the first account of a shard, in a page of one',
      theirs: '[first]',
      call: 'getFids',
      request: () => ({ shardId: 1, pageSize: 1 }),
    },
    {
      title: 'a page token goes on after the page before',
      theirs: '[second]',
      ours: '[second, third]',
      reason: `The third account of the test is in another shard. ${ONE_SHARD}`,
      call: 'getFids',
      request: () => ({ shardId: 1, pageSize: 1 }),
      next: () => ({ shardId: 1 }),
    },
    {
      title: 'the accounts of the second shard',
      theirs: '[third]',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: ONE_SHARD,
      call: 'getFids',
      request: () => ({ shardId: 2 }),
    },
  ],
});

const SIX = 'Over HTTP the contract has six limits, without that of loans.';

export const SNAPCHAIN_STORAGE = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-storage',
  over: 'grpc',
  state: async (front) => {
    const [alice, nobody] = [front.stranger('alice'), front.stranger()];
    await front.store(
      alice.register(),
      await alice.addSigner(),
      alice.rent(1, LEGACY),
      alice.rent(1, OF_2024),
      alice.rent(1),
    );
    const cast = alice.cast({ text: 'test' });
    await front.store(cast, alice.cast({ text: 'test 2' }), alice.removeCast(cast.hash), alice.follow(nobody.fid));
    return { fid: alice.fid, nobody: nobody.fid };
  },
  rows: [
    {
      title: 'an account that is not there: seven limits of 0',
      theirs: '0, 0, 0, 0, 0, 0, 0',
      other: '0, 0, 0, 0, 0, 0',
      reason: SIX,
      call: 'getCurrentStorageLimitsByFid',
      show: ({ limits }) => limits.map(({ limit, used }: { limit: number; used: number }) => limit + used).join(', '),
      request: ({ nobody }) => ({ fid: nobody }),
    },
    {
      title: 'an account that is not there: no units of any kind',
      theirs: '0 + 0 + 0',
      call: 'getCurrentStorageLimitsByFid',
      show: showUnits,
      request: ({ nobody }) => ({ fid: nobody }),
    },
    {
      title: 'one unit of each kind: the number of units',
      theirs: '3',
      call: 'getCurrentStorageLimitsByFid',
      show: ({ units }) => String(units),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'one unit of each kind',
      theirs: '1 + 1 + 1',
      call: 'getCurrentStorageLimitsByFid',
      show: showUnits,
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used for casts: one, and a removal',
      theirs: 'CASTS 2 of 9000',
      ours: 'CASTS 2 of 7100',
      reason: 'The limits of the test are made for it; ours are those of the network: 5000, 2000 and 100.',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'CASTS'),
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'what is used for links',
      theirs: '1',
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'LINKS').split(' ')[1] as string,
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the limit of loans is the number of units',
      theirs: 'STORAGE_LENDS 0 of 3',
      other: '',
      reason: SIX,
      call: 'getCurrentStorageLimitsByFid',
      show: (body) => showStores(body, 'STORAGE_LENDS'),
      request: ({ fid }) => ({ fid }),
    },
  ],
});

const INFO =
  'This service is one shard, and no validator: it has no blocks of the consensus, no mempool and no name in the gossip.';

export const SNAPCHAIN_ACCOUNT = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-account',
  over: 'grpc',
  state: async (front) => {
    const alice = front.stranger('alice');
    const [removed, second] = [alice.withKey(1), alice.withKey(2)];
    const auth = signerKey(derive(SEED, 'auth', alice.fid)).publicKey;
    await front.write({
      registration: alice.register(),
      firstKey: await alice.addSigner(),
      gone: await removed.addSigner(),
      removal: removed.removeSigner(),
      secondKey: await second.addSigner(),
      auth: await authKey(front, alice.fid, auth),
      rent: alice.rent(1),
    });
    await front.store(await alice.ensProof('test.eth'));
    return { front, fid: alice.fid, custody: alice.custody.address, auth, other: front.stranger().custody.address };
  },
  rows: [
    {
      title: 'the number of shards',
      theirs: '2',
      ours: '1',
      other: null,
      reason: INFO,
      call: 'getInfo',
      run: ({ front }) =>
        front.ask({ name: 'getInfo', request: {}, show: ({ numShards }) => String(numShards) }, 'grpc'),
    },
    {
      title: 'the shards that are described, with that of the blocks',
      theirs: '[0, 1, 2]',
      ours: '[1]',
      other: null,
      reason: INFO,
      call: 'getInfo',
      run: ({ front }) =>
        front.ask(
          {
            name: 'getInfo',
            request: {},
            show: ({ shardInfos }) => list(shardInfos.map(({ shardId }: { shardId: number }) => String(shardId))),
          },
          'grpc',
        ),
    },
    {
      title: 'the name in the gossip',
      theirs: 'a name',
      ours: 'none',
      other: null,
      reason: INFO,
      call: 'getInfo',
      run: ({ front }) =>
        front.ask({ name: 'getInfo', request: {}, show: ({ peerId }) => (peerId === '' ? 'none' : 'a name') }, 'grpc'),
    },
    {
      title: 'the version',
      theirs: 'a version',
      other: null,
      call: 'getInfo',
      run: ({ front }) =>
        front.ask(
          {
            name: 'getInfo',
            request: {},
            show: ({ version }) => (/^\d+\.\d+\.\d+/.test(version) ? 'a version' : version),
          },
          'grpc',
        ),
    },
    {
      title: 'the mempool of a shard is empty',
      theirs: '0',
      other: null,
      call: 'getInfo',
      run: ({ front }) =>
        front.ask(
          { name: 'getInfo', request: {}, show: ({ shardInfos }) => String(shardInfos[0].mempoolSize) },
          'grpc',
        ),
    },
    {
      title: 'the shard of the blocks is at height 0, without messages',
      theirs: 'height 0',
      ours: 'none',
      other: null,
      reason: INFO,
      call: 'getInfo',
      run: ({ front }) =>
        front.ask(
          {
            name: 'getInfo',
            request: {},
            show: ({ shardInfos }) =>
              shardInfos.some(({ shardId }: { shardId: number }) => shardId === 0) ? 'height 0' : 'none',
          },
          'grpc',
        ),
    },
    {
      title: 'the height of a shard is that of its newest block',
      theirs: 'the newest block',
      other: null,
      call: 'getInfo',
      run: async ({ front }) => {
        const newest = await newestId(front);
        return front.ask(
          {
            name: 'getInfo',
            request: {},
            show: ({ shardInfos }) => (shardInfos[0].maxHeight * 16_384 === newest ? 'the newest block' : 'another'),
          },
          'grpc',
        );
      },
    },
    {
      title: 'the numbers of a shard with one account and one cast: four messages, with three events of the chain',
      theirs: '1 registration, 4 messages',
      ours: '1 registration, 1 message',
      other: null,
      reason: 'snapchain counts the leaves of its trie, and so the events of the chain; here they are messages only.',
      call: 'getInfo',
      run: async ({ front }) => {
        const count = async () => {
          let numbers = [0, 0];
          const show = (body: { dbStats: { numFidRegistrations: number; numMessages: number } }) => {
            numbers = [body.dbStats.numFidRegistrations, body.dbStats.numMessages];
            return '';
          };
          await front.ask({ name: 'getInfo', request: {}, show }, 'grpc');
          return numbers as [number, number];
        };
        const before = await count();
        const bob = await front.account('bob');
        await front.store(bob.cast({ text: 'test' }));
        const after = await count();
        return `${after[0] - before[0]} registration, ${after[1] - before[1]} message`;
      },
    },
    {
      title: 'a second shard is empty: no messages, height 0',
      theirs: 'height 0',
      ours: 'none',
      other: null,
      reason: INFO,
      call: 'getInfo',
      run: ({ front }) => {
        const show = ({ shardInfos }: { shardInfos: { shardId: number }[] }) =>
          shardInfos.some(({ shardId }) => shardId === 2) ? 'height 0' : 'none';
        return front.ask({ name: 'getInfo', request: {}, show }, 'grpc');
      },
    },
    {
      title: 'the proof of an ENS name',
      theirs: 'test.eth of alice',
      call: 'getUsernameProof',
      request: () => ({ name: Buffer.from('test.eth') }),
    },
    {
      title: 'the registration of the account that an address holds',
      theirs: 'registration',
      call: 'getIdRegistryOnChainEventByAddress',
      request: ({ custody }) => ({ address: custody }),
    },
    {
      title: 'the custody address',
      theirs: '[custody]',
      call: 'getFidAddressType',
      show: kinds,
      request: ({ fid, custody }) => ({ fid, address: custody }),
    },
    {
      title: 'an auth key',
      theirs: '[auth]',
      call: 'getFidAddressType',
      show: kinds,
      request: ({ fid, auth }) => ({ fid, address: auth }),
    },
    {
      title: 'an address of somebody else',
      theirs: '[]',
      call: 'getFidAddressType',
      show: kinds,
      request: ({ fid, other }) => ({ fid, address: other }),
    },
    {
      title: 'a page of one key',
      theirs: '[firstKey]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'the page after it has the other key, and neither a removed one nor one that only signs in',
      theirs: '[secondKey]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
      next: ({ fid }) => ({ fid }),
    },
  ],
});
