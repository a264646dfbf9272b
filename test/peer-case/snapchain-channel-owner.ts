import type { Author } from '../../src/sample/author.js';
import { ChannelWorld, channelRow, LAPSED, showKeys, showOwner, showOwners } from './channel-world.js';
import { cases, type Front } from './front.js';

interface State {
  readonly front: Front;
  readonly world: ChannelWorld;
  /** Two accounts, and wallets that are owners of channels. */
  readonly alice: Author;
  readonly bob: Author;
  readonly wallets: Record<string, Author['custody']>;
}

const row = channelRow<State>;

/** @returns a case about the owner of a channel, after something happened */
const ownerRow = (title: string, key: string, theirs: string, before?: (state: State) => Promise<unknown>) =>
  row(
    title,
    ['getChannelOwner', theirs],
    async (state, surface) => {
      if (surface === 'grpc') await before?.(state);
      return { channelKey: key };
    },
    showOwner,
  );
const byFid = (title: string, who: 'alice' | 'bob', theirs: string, keys: readonly string[]) =>
  row(
    title,
    ['getChannelsByFid', theirs],
    (state) => ({ fid: state[who].fid }),
    ({ channels }) =>
      showKeys({ channels: channels.filter(({ channelKey }: { channelKey: string }) => keys.includes(channelKey)) }),
  );
const byAddress = (title: string, wallet: string, theirs: string) =>
  row(title, ['getChannelsByAddress', theirs], ({ wallets }) => ({ address: wallets[wallet]?.address }), showOwners);

const verify = async ({ front }: State, who: Author, wallet: Author['custody'] | undefined): Promise<void> => {
  if (wallet !== undefined) await front.store(await who.verifyEthereum(wallet));
};
const unverify = ({ front }: State, who: Author, wallet: Author['custody'] | undefined): Promise<void> =>
  front.store(who.removeVerification(0, wallet?.address ?? new Uint8Array(20)));

const KEYS = ['lapsed', 'parked', 'later', 'turned', 'removed', 'delayed', 'last', 'fallback', 'cold'] as const;
const ONE_SHARD = 'This service has one shard, which has everything.';

export const SNAPCHAIN_CHANNEL_OWNER = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-channel-owner',
  over: 'grpc',
  state: async (front): Promise<State> => {
    const world = new ChannelWorld(front);
    const [alice, bob] = [await front.account('alice', 2), await front.account('bob', 2)];
    const holder = front.stranger('holder');
    const names = [...KEYS, 'next', 'nothing'];
    const wallets = Object.fromEntries(names.map((name, index) => [name, holder.wallet(index + 1)]));
    const of = (key: string) => (wallets[key] as Author['custody']).address;
    await world.register(of('lapsed'), ['lapsed'], { expiry: LAPSED });
    for (const key of KEYS.slice(1)) await world.register(of(key), [key]);
    return { front, world, alice, bob, wallets };
  },
  rows: [
    ownerRow('a channel that nobody registered', 'missing', 'NOT_FOUND'),
    ownerRow('a registration that has lapsed', 'lapsed', 'alice, lapsed', (s) => verify(s, s.alice, s.wallets.lapsed)),
    ownerRow('an address that no account verified', 'parked', 'nobody'),
    {
      title: 'a verification that only the shard of the account has',
      theirs: 'nobody',
      nothing: ONE_SHARD,
    },
    ownerRow('two accounts verified the address: the later one', 'later', 'bob', async (s) => {
      await verify(s, s.alice, s.wallets.later);
      await verify(s, s.bob, s.wallets.later);
    }),
    ownerRow('two accounts verified the address, the later message came first', 'turned', 'bob', async (s) => {
      const first = await s.alice.verifyEthereum(s.wallets.turned as Author['custody']);
      await verify(s, s.bob, s.wallets.turned);
      await s.front.store(first);
    }),
    ownerRow('a verification that was removed', 'removed', 'nobody', async (s) => {
      await verify(s, s.alice, s.wallets.removed);
      await unverify(s, s.alice, s.wallets.removed);
    }),
    {
      title: 'an entry of the index without its verification',
      theirs: 'nobody',
      nothing: 'It is a fault in the database of the peer.',
    },
    ownerRow('before the verification', 'delayed', 'nobody'),
    byFid('before the verification, of the account', 'alice', '[]', ['delayed']),
    byAddress('before the verification, of the address', 'delayed', '[delayed of nobody]'),
    ownerRow('after the verification', 'delayed', 'alice', (s) => verify(s, s.alice, s.wallets.delayed)),
    byFid('after the verification, of the account', 'alice', '[delayed]', ['delayed']),
    byAddress('after the verification, of the address', 'delayed', '[delayed of alice]'),
    byAddress('a lapsed one is listed, of the address', 'lapsed', '[lapsed of alice]'),
    byFid('a lapsed one is listed, of the account', 'alice', '[lapsed]', ['lapsed']),
    ownerRow('the last who verified, whatever came first', 'last', 'bob', async (s) => {
      const first = await s.alice.verifyEthereum(s.wallets.last as Author['custody']);
      await verify(s, s.bob, s.wallets.last);
      await s.front.store(first);
    }),
    byFid('it is listed for the last who verified', 'bob', '[last]', ['last']),
    byFid('it is not listed for the other', 'alice', '[]', ['last']),
    ownerRow('two verified: the later one', 'fallback', 'bob', async (s) => {
      await verify(s, s.alice, s.wallets.fallback);
      await verify(s, s.bob, s.wallets.fallback);
    }),
    ownerRow('the later one removes: the earlier one again', 'fallback', 'alice', (s) =>
      unverify(s, s.bob, s.wallets.fallback),
    ),
    byFid('it is listed for the earlier one', 'alice', '[fallback]', ['fallback']),
    ownerRow('both removed: nobody', 'fallback', 'nobody', (s) => unverify(s, s.alice, s.wallets.fallback)),
    byFid('it is listed for none of them: the first', 'alice', '[]', ['fallback']),
    byFid('it is listed for none of them: the second', 'bob', '[]', ['fallback']),
    ownerRow('an address that is kept offline', 'cold', 'nobody'),
    ownerRow('that address is verified', 'cold', 'alice', (s) => verify(s, s.alice, s.wallets.cold)),
    ownerRow('transferred to another address: nobody, and the same end', 'cold', 'nobody', (s) =>
      s.world.register(s.wallets.next?.address ?? new Uint8Array(20), ['cold'], { type: 3, expiry: LAPSED }),
    ),
    ownerRow('the other address is verified', 'cold', 'bob', (s) => verify(s, s.bob, s.wallets.next)),
    byFid('a verified address without channels, of the account', 'bob', '[]', ['nothing']),
    byAddress('a verified address without channels, of the address', 'nothing', '[]'),
  ],
});

interface Pages {
  readonly front: Front;
  readonly fid: number;
  readonly address: Uint8Array;
  readonly solana: number;
}
const page = channelRow<Pages>;
const TOKEN_AT_END = 'A token is given only where another page follows.';
const hasToken = ({ nextPageToken }: { nextPageToken?: string }): string => (nextPageToken ? 'a token' : 'none');

export const SNAPCHAIN_CHANNEL_PAGE = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-channel-page',
  over: 'grpc',
  state: async (front): Promise<Pages> => {
    const world = new ChannelWorld(front);
    const alice = await front.account('alice', 2);
    const sorted = [alice.wallet(1), alice.wallet(2)].sort((a, b) => Buffer.compare(a.address, b.address));
    const [first, second] = sorted as [Author['custody'], Author['custody']];
    await world.register(first.address, ['rt_a1', 'rt_a2']);
    await world.register(second.address, ['rt_b1', 'rt_b2']);
    await front.store(await alice.verifyEthereum(first), await alice.verifyEthereum(second));
    const bob = await front.account('bob', 2);
    await world.register(bob.wallet(1).address, ['evm_owned']);
    await front.store(await bob.verifyEthereum(bob.wallet(1)), bob.verifySolana(bob.solanaKey(0)));
    return { front, fid: alice.fid, address: first.address, solana: bob.fid };
  },
  rows: [
    page(
      'four channels of two addresses',
      ['getChannelsByFid', '[rt_a1, rt_a2, rt_b1, rt_b2]'],
      ({ fid }) => ({ fid }),
      showKeys,
    ),
    page('all in one page: no token', ['getChannelsByFid', 'none'], ({ fid }) => ({ fid }), hasToken),
    page(
      'a page of three has channels of both addresses',
      ['getChannelsByFid', '[rt_a1, rt_a2, rt_b1]'],
      ({ fid }) => ({ fid, pageSize: 3 }),
      showKeys,
    ),
    page('a page of three: a token', ['getChannelsByFid', 'a token'], ({ fid }) => ({ fid, pageSize: 3 }), hasToken),
    page(
      'the page after it has the rest',
      ['getChannelsByFid', '[rt_b2]'],
      ({ fid }) => ({ fid, pageSize: 3 }),
      showKeys,
      { next: ({ fid }) => ({ fid, pageSize: 3 }) },
    ),
    page('the page after it: no token', ['getChannelsByFid', 'none'], ({ fid }) => ({ fid, pageSize: 3 }), hasToken, {
      next: ({ fid }) => ({ fid, pageSize: 3 }),
    }),
    page(
      'of an address, a page of one',
      ['getChannelsByAddress', '[rt_a1]'],
      ({ address }) => ({ address, pageSize: 1 }),
      showKeys,
    ),
    page(
      'of an address, the page after it',
      ['getChannelsByAddress', '[rt_a2]'],
      ({ address }) => ({ address, pageSize: 1 }),
      showKeys,
      { next: ({ address }) => ({ address, pageSize: 1 }) },
    ),
    page(
      'of an address, a page of none',
      ['getChannelsByAddress', '[]'],
      ({ address }) => ({ address, pageSize: 0 }),
      showKeys,
      { http: '400', reason: 'Over HTTP a page has at least one entry.' },
    ),
    page(
      'a Solana address owns nothing',
      ['getChannelsByFid', '[evm_owned]'],
      ({ solana }) => ({ fid: solana }),
      showKeys,
    ),
    page(
      'an address of four bytes',
      ['getChannelsByAddress', 'INVALID_ARGUMENT'],
      () => ({ address: new Uint8Array(4) }),
      showKeys,
    ),
    page(
      'a page that ends where the list ends: a token',
      ['getChannelsByAddress', 'a token'],
      ({ address }) => ({ address, pageSize: 2 }),
      hasToken,
      { http: 'none', reason: TOKEN_AT_END },
    ),
    page(
      'a page after the end is empty, without a token',
      ['getChannelsByAddress', '[]'],
      ({ address }) => ({ address, pageSize: 2 }),
      showKeys,
      { http: 'no page token', reason: TOKEN_AT_END, next: ({ address }) => ({ address, pageSize: 2 }) },
    ),
  ],
});
