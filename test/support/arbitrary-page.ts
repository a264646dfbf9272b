import fc from 'fast-check';
import type { Account } from '../../src/hydrate/account.js';
import type { Cast } from '../../src/hydrate/cast.js';
import { type Channel, channelRelationKey } from '../../src/hydrate/channel.js';
import type { Page } from '../../src/hydrate/page.js';
import { channelTokens, nameTokens } from '../../src/hydrate/text-token.js';
import type { User } from '../../src/hydrate/user.js';
import { DIALECTS } from '../../src/schema/wire-names.js';
import type { ChannelRow } from '../../src/store/channel/channel.js';
import type { AccountRow, UserRow } from '../../src/store/query/account.js';
import type { CastRow } from '../../src/store/query/cast.js';

/** Accounts, casts and channels of pages; the last of each is not stored. */
export const FIDS = [1, 2, 3, 2 ** 40] as const;
const ABSENT_FID = 77;
export const HASHES = ['0', '1', '2', '3', '4'].map((digit) => digit.repeat(40));
const CHANNEL_IDS = ['garden', 'tea'];
const URLS = ['https://channel.example/garden', 'not a uri', ''];

/** Unusual texts that must be returned unchanged. */
export const unusualText = fc.oneof(
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\\u0041',
    '\u2028\u2029',
    '\ud800',
    'a\udc00b',
    '👩‍👩‍👧 🇯🇵',
    '\t\r\n\u0001\u001f\u007f',
    '</script>',
  ),
  fc.constantFrom('gm @bob and @!2 in /garden, /tea', '/garden', '@bob', '写真と旅 /tea'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '/', '@', 'é', '日', '🌱', ' '), maxLength: 20 }),
);
const url = fc.oneof(fc.constantFrom('https://image.example/a.png?b="c"', ...URLS), unusualText);
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one, { nil: null });
const hex = (digits: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });
const fid = fc.constantFrom(...FIDS, ABSENT_FID);
const count = fc.nat(2 ** 31 - 1);
const unixMs = fc.integer({ min: 0, max: 4e12 });
const seconds = fc.nat(2e9);
const score = fc.oneof(fc.constantFrom(0, 1, 1e-7), fc.double({ min: 0, max: 1, noNaN: true }));

const userRow = (of: number): fc.Arbitrary<UserRow> =>
  fc.record({
    fid: fc.constant(of),
    username: maybe(fc.oneof(fc.constant('bob'), unusualText)),
    displayName: maybe(unusualText),
    pfpUrl: maybe(url),
    custodyAddress: maybe(hex(40)),
    score,
  });

const verification = fc.oneof(
  fc.tuple(fc.constant(0), hex(40)) as fc.Arbitrary<[number, string]>,
  fc.tuple(fc.constant(1), hex(64)) as fc.Arbitrary<[number, string]>,
);

const accountRow = (of: number): fc.Arbitrary<AccountRow> =>
  fc
    .record({
      registeredAt: maybe(unixMs),
      firstTs: maybe(seconds),
      bio: maybe(unusualText),
      bannerUrl: maybe(url),
      latitude: maybe(fc.double({ min: -90, max: 90, noNaN: true })),
      longitude: maybe(fc.double({ min: -180, max: 180, noNaN: true })),
      xUsername: maybe(unusualText),
      githubUsername: maybe(unusualText),
      liveUrl: maybe(url),
      liveTs: maybe(seconds),
      proSubscribedAt: maybe(unixMs),
      proExpiresAt: maybe(unixMs),
      verifications: maybe(fc.array(verification, { minLength: 1, maxLength: 3 })),
      authKeys: maybe(fc.array(fc.tuple(hex(64), maybe(fid)), { minLength: 1, maxLength: 3 })),
      followerCount: count,
      followingCount: count,
    })
    .chain((row) => {
      const addresses = (protocol: number) =>
        (row.verifications ?? []).flatMap(([one, address]) => (one === protocol ? [address] : []));
      return fc.record({
        row: fc.constant(row),
        user: userRow(of),
        eth: maybe(fc.constantFrom('f'.repeat(40), ...addresses(0))),
        sol: maybe(fc.constantFrom('e'.repeat(64), ...addresses(1))),
      });
    })
    .map(({ row, user, eth, sol }) => ({ ...row, ...user, primaryEthAddress: eth, primarySolAddress: sol }));

const address = fc.record(
  { city: unusualText, country: unusualText, country_code: unusualText, state: unusualText, state_code: unusualText },
  { requiredKeys: ['city', 'country', 'country_code'] },
);

const channelRow = (id: string, at: number): fc.Arbitrary<ChannelRow> =>
  fc.record({
    id: fc.constant(id),
    parentUrl: fc.constant(URLS[at] as string),
    url,
    name: unusualText,
    description: maybe(unusualText),
    descriptionMentions: fc.array(fid, { maxLength: 2 }),
    descriptionMentionPositions: fc.array(fc.nat(40), { maxLength: 2 }),
    imageUrl: maybe(url),
    externalLinkTitle: maybe(unusualText),
    externalLinkUrl: maybe(url),
    leadFid: maybe(fid),
    pinnedCastHash: maybe(hex(40)),
    source: fc.constantFrom('local', 'file', 'client', 'protocol'),
    followerCount: fc.nat(),
    memberCount: fc.nat(),
    moderatorFids: fc.array(fid, { maxLength: 2 }),
    createdAt: unixMs.map((at) => new Date(at)),
  });

/** A cast with what was found at addresses, which it may embed or not. */
type FoundCastRow = CastRow & { readonly urlMetadata: Readonly<Record<string, object>> };

/** Casts embed only later ones, so that none embeds itself. */
const castRow = (hash: string, at: number): fc.Arbitrary<FoundCastRow> =>
  fc.record({
    fid,
    hash: fc.constant(hash),
    ts: seconds,
    text: unusualText,
    parentFid: maybe(fc.constantFrom(0, ...FIDS)),
    parentHash: maybe(hex(40)),
    parentUrl: maybe(fc.oneof(fc.constantFrom(...URLS), unusualText)),
    rootHash: hex(40),
    rootParentUrl: maybe(fc.oneof(fc.constantFrom(...URLS), unusualText)),
    mentions: maybe(fc.array(fid, { minLength: 1, maxLength: 3 })),
    mentionPositions: maybe(fc.array(fc.nat(40), { minLength: 1, maxLength: 4 })),
    embeds: maybe(
      fc.array(
        fc.oneof(
          url.map((one) => ({ url: one })),
          fc.constantFrom(...HASHES.slice(at + 1), 'f'.repeat(40)).map((one) => ({ fid: 1, hash: one })),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    ),
    urlMetadata: fc.dictionary(
      url,
      unusualText.map((ogTitle) => ({ _status: 'RESOLVED', content_type: null, html: { ogTitle } })),
      { maxKeys: 2 },
    ),
    appFid: maybe(fid),
    likeCount: count,
    recastCount: count,
    replyCount: count,
    quoteCount: count,
  });

const castOf = (row: FoundCastRow, rows: ReadonlyMap<string, FoundCastRow>, level: number): Cast => {
  const hashes = level === 0 ? [] : (row.embeds ?? []).flatMap((embed) => ('hash' in embed ? [embed.hash] : []));
  return {
    row,
    embedded: new Map(
      hashes.flatMap((hash) => {
        const inner = rows.get(hash);
        return inner === undefined ? [] : [[hash, castOf(inner, rows, level - 1)]];
      }),
    ),
    urlMetadata: new Map(Object.entries(row.urlMetadata)),
    channelIds: channelTokens(row.text).map(({ value }) => value),
    channelUrl: row.rootParentUrl ?? row.parentUrl,
  };
};

const named = <T>(tokens: ReturnType<typeof nameTokens>, found: ReadonlyMap<string, T>) =>
  tokens.flatMap((token) => {
    const one = found.get(token.value);
    return one === undefined ? [] : [{ token, named: one }];
  });

/** A page of random entities, some of which are missing, like those of src/hydrate. */
export const arbitraryPage: fc.Arbitrary<Page> = fc
  .record({
    dialect: fc.constantFrom(...DIALECTS),
    accountRows: fc.tuple(...FIDS.map(accountRow)),
    userRows: fc.tuple(...FIDS.map(userRow)),
    inAccounts: fc.subarray([...FIDS]),
    inUsers: fc.subarray([...FIDS]),
    addresses: fc.tuple(...FIDS.map(() => fc.option(address, { nil: undefined }))),
    isPro: fc.tuple(...FIDS.map(() => fc.boolean())),
    castRows: fc.tuple(...HASHES.map(castRow)),
    stored: fc.subarray([...HASHES]),
    channelRows: fc.tuple(...CHANNEL_IDS.map(channelRow)),
    channels: fc.subarray(CHANNEL_IDS),
    viewer: fc.option(fc.constantFrom(...FIDS), { nil: undefined }),
    channelRelations: fc.array(
      fc.record({
        fid: fc.constantFrom(...FIDS),
        id: fc.constantFrom(...CHANNEL_IDS),
        following: fc.boolean(),
        role: maybe(fc.constantFrom('owner', 'moderator', 'member')),
      }),
    ),
    hidden: fc.subarray([...FIDS]),
    relation: fc.option(fc.record({ links: fc.infiniteStream(fc.nat(15)), reactions: fc.infiniteStream(fc.nat(3)) }), {
      nil: undefined,
    }),
  })
  .map((made): Page => {
    const users = new Map<number, User>(made.userRows.map((row) => [row.fid, { row }]));
    const byName = new Map([...users.values()].map((user) => [user.row.username ?? '', user]));
    const channels = new Map<string, Channel>(made.channelRows.map((row) => [row.id, { row }]));
    const accounts = made.accountRows.map((row, at): [number, Account] => [
      row.fid,
      {
        row,
        bioUsers: named(nameTokens(row.bio ?? ''), byName),
        bioChannels: named(channelTokens(row.bio ?? ''), channels),
        authApps: users,
        address: made.addresses[at],
        isPro: made.isPro[at] as boolean,
        json: {},
      },
    ]);
    const rows = new Map(made.castRows.filter(({ hash }) => made.stored.includes(hash)).map((row) => [row.hash, row]));
    const of = <K, V>(keys: readonly K[], all: ReadonlyMap<K, V>): Map<K, V> =>
      new Map([...all].filter(([key]) => keys.includes(key)));
    const shown = of(made.channels, channels);
    const links = new Map(FIDS.map((one) => [one as number, made.relation?.links.next().value as number]));
    const reactions = new Map(HASHES.map((one) => [one, made.relation?.reactions.next().value as number]));
    return {
      dialect: made.dialect,
      report: (entity, cause) => {
        throw new Error(`${entity} cannot be rendered`, { cause });
      },
      accounts: of(made.inAccounts, new Map(accounts)),
      users: of(made.inUsers, users),
      casts: new Map([...rows].map(([hash, row]) => [hash, castOf(row, rows, 2)])),
      channels: shown,
      channelsByUrl: new Map([...shown.values()].map((channel) => [channel.row.parentUrl, channel])),
      viewer: made.viewer,
      channelRelations: new Map(made.channelRelations.map((one) => [channelRelationKey(one.fid, one.id), one])),
      hidden: new Set(made.hidden),
      relation: made.relation && {
        links: (one) => links.get(one) ?? 0,
        reactions: (one) => reactions.get(one) ?? 0,
      },
    };
  });
