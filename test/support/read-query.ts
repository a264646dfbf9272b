import { operations } from '../../src/api/operation-list.js';
import { type Dialect, wirePath } from '../../src/schema/wire-names.js';
import { CHANNEL_URL, FIDS, type Seeded } from './seed.js';

export interface QueryEnvironment {
  readonly seeded: Seeded;
  /** Accounts that exist from the start or register later. */
  readonly fids: readonly number[];
  /** `0x` and hex digits of all casts ever made, whether they are stored or not. */
  hashes(): readonly string[];
}

/** Id of the channel whose parent URL is `CHANNEL_URL`. */
export const CHANNEL_ID = 'garden';
/** A page that casts embed and that is liked. */
export const PAGE_URL = 'https://page.example/';

type Queries = (environment: QueryEnvironment) => readonly string[];

const { alice, bob, carol, dan, erin } = FIDS;
const url = encodeURIComponent(CHANNEL_URL);
const page = encodeURIComponent(PAGE_URL);
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** Accounts of lists, one of which registers later. */
const ofSome = ({ fids }: QueryEnvironment, more = ''): string[] =>
  [alice, bob, fids.at(-1)].map((fid) => `fid=${fid}${more}`);

const cast = ({ seeded }: QueryEnvironment, name: keyof Seeded['casts']): string => hex(seeded.casts[name].hash);

/**
 * For every operation that reads, by its id, what it is asked in tests of freshness. `viewer_fid`, `limit` and `cursor`
 * are added where the operation takes them.
 */
export const READ_QUERIES: Readonly<Record<string, Queries>> = {
  'fetch-bulk-users': ({ fids }) => [`fids=${fids.join(',')}`, `fids=${alice}`],
  'fetch-bulk-users-by-eth-or-sol-address': ({ seeded }) =>
    [seeded.alice.wallet(1), seeded.carol.wallet(1)].map(({ address }) => `addresses=${hex(address)}`),
  'lookup-user-by-username': () => ['alice', 'bob', 'carol', 'newcomer', `!${dan}`].map((name) => `username=${name}`),
  'lookup-user-by-custody-address': ({ seeded }) =>
    [seeded.alice.custody, seeded.erin.wallet(2)].map(({ address }) => `custody_address=${hex(address)}`),
  'lookup-users-by-x-username': () => ['x_username=someone'],
  'search-user': () => ['q=a', 'q=newcomer'],
  'fetch-users-by-location': () => ['latitude=38.7&longitude=-9.1'],
  'fetch-verifications': (environment) => ofSome(environment),
  'get-user-best-friends': (environment) => ofSome(environment),
  'fetch-user-interactions': ({ fids }) => [
    `fids=${alice},${bob}`,
    `fids=${alice},${fids.at(-1)}`,
    `fids=${carol},${alice}&type=likes,follows`,
  ],
  'lookup-cast-by-hash-or-url': (environment) => [
    `type=hash&identifier=${cast(environment, 'quote')}`,
    `type=hash&identifier=${environment.hashes().at(-1)}`,
  ],
  'fetch-bulk-casts': (environment) => [
    `casts=${environment.hashes().slice(-12).join(',')}`,
    `casts=${cast(environment, 'hello')},${cast(environment, 'reply')},${cast(environment, 'quote')},${cast(environment, 'channel')}`,
    `casts=${environment.hashes().slice(-6).join(',')}&sort_type=likes`,
  ],
  'search-casts': () => ['q=event', `q=beans&author_fid=${bob}`],
  'fetch-cast-metrics': () => ['q=event', `q=beans&author_fid=${bob}&interval=1d`],
  'lookup-cast-conversation': (environment) => [
    `type=hash&identifier=${cast(environment, 'reply')}&reply_depth=3&include_chronological_parent_casts=true`,
    `type=hash&identifier=${cast(environment, 'hello')}&sort_type=algorithmic`,
  ],
  'fetch-cast-quotes': (environment) => [`type=hash&identifier=${cast(environment, 'reply')}`],
  'fetch-feed': () => [
    `feed_type=following&fid=${alice}`,
    `feed_type=following&fid=${alice}&with_replies=true`,
    `feed_type=filter&filter_type=fids&fids=${alice},${bob}`,
    `feed_type=filter&filter_type=parent_url&parent_url=${url}`,
    `feed_type=filter&filter_type=channel_id&channel_id=${CHANNEL_ID}`,
    `feed_type=filter&filter_type=embed_url&embed_url=${page}`,
    'feed_type=filter&filter_type=global_trending',
  ],
  'fetch-trending-feed': () => ['', 'time_window=7d', `channel_id=${CHANNEL_ID}`],
  'fetch-feed-for-you': (environment) => ofSome(environment),
  'fetch-user-following-feed': () => [
    `fid=${alice}`,
    `fid=${carol}&with_recasts=false`,
    `fid=${dan}&with_recasts=true`,
    `fid=${dan}&with_replies=true`,
  ],
  'fetch-feed-by-channel-ids': () => [
    `channel_ids=${CHANNEL_ID}&members_only=false&with_replies=true`,
    `channel_ids=${CHANNEL_ID}`,
  ],
  'fetch-feed-by-parent-urls': () => [`parent_urls=${url}&with_replies=true`],
  'fetch-feed-by-topic': () => ['slug=topic_1', 'slug=event'],
  'fetch-casts-for-user': (environment) => [...ofSome(environment), `fid=${bob}&channel_id=${CHANNEL_ID}`],
  'fetch-popular-casts-by-user': () => [`fid=${alice}`],
  'fetch-replies-and-recasts-for-user': () => [`fid=${bob}&filter=all`],
  'lookup-channel': () => [`id=${CHANNEL_ID}`, `type=parent_url&id=${url}`],
  'fetch-bulk-channels': () => [`ids=${CHANNEL_ID},nowhere`],
  'fetch-all-channels': () => [''],
  'search-channels': () => ['q=gard'],
  'fetch-trending-channels': () => ['', 'time_window=30d'],
  'list-trending-topics': () => [''],
  'fetch-users-active-channels': () => [`fid=${alice}`, `fid=${bob}`],
  'fetch-user-channels': () => [`fid=${alice}`, `fid=${bob}`],
  'fetch-followers-for-a-channel': () => [`id=${CHANNEL_ID}`],
  'fetch-relevant-followers-for-a-channel': () => [`id=${CHANNEL_ID}&viewer_fid=${alice}`],
  'fetch-channel-members': () => [`channel_id=${CHANNEL_ID}`, `channel_id=${CHANNEL_ID}&fid=${bob}`],
  'fetch-user-channel-memberships': () => [`fid=${alice}`, `fid=${bob}`],
  'fetch-channel-invites': () => ['', `channel_id=${CHANNEL_ID}`],
  'fetch-user-followers': (environment) => [...ofSome(environment), `fid=${alice}&sort_type=algorithmic`],
  'fetch-user-following': (environment) => [...ofSome(environment), `fid=${alice}&sort_type=algorithmic`],
  'fetch-user-reciprocal-followers': (environment) => ofSome(environment),
  'fetch-relevant-followers': () => [`target_fid=${alice}&viewer_fid=${bob}`],
  'fetch-follow-suggestions': () => [`fid=${alice}`],
  'fetch-user-reactions': () => [`fid=${dan}&type=all`, `fid=${carol}&type=likes`],
  'fetch-cast-reactions': (environment) => [`hash=${cast(environment, 'hello')}&types=likes,recasts`],
  'fetch-all-notifications': (environment) => [...ofSome(environment), `fid=${bob}&type=likes,follows`],
  'fetch-channel-notifications-for-user': () => [`fid=${bob}&channel_ids=${CHANNEL_ID}`],
  'fetch-notifications-by-parent-url-for-user': () => [`fid=${bob}&parent_urls=${url}`],
  'fetch-frame-catalog': () => ['', 'time_window=1h'],
  'search-frames': () => ['q=chess'],
  'fetch-relevant-frames': () => [`viewer_fid=${alice}`],
  'fetch-mute-list': (environment) => ofSome(environment),
  'fetch-ban-list': () => [''],
  'fetch-block-list': () => [`blocker_fid=${alice}`, `blocked_fid=${bob}`],
  'hub-lookup-cast-by-hash-and-fid': (environment) => [`fid=${alice}&hash=${cast(environment, 'hello')}`],
  'hub-fetch-users-casts': (environment) => ofSome(environment),
  'hub-fetch-casts-mentioning-user': () => [`fid=${bob}`],
  'hub-fetch-casts-by-parent': (environment) => [`fid=${alice}&hash=${cast(environment, 'hello')}`, `url=${url}`],
  'hub-lookup-reaction-by-id': (environment) => [
    `fid=${carol}&target_fid=${alice}&target_hash=${cast(environment, 'hello')}&reaction_type=1`,
  ],
  'hub-fetch-cast-reactions': (environment) => [
    `target_fid=${alice}&target_hash=${cast(environment, 'hello')}&reaction_type=1`,
  ],
  'hub-fetch-user-reactions': () => [`fid=${dan}&reaction_type=1`],
  'hub-fetch-reactions-by-target': () => [`url=${page}`],
  'hub-lookup-user-relation': () => [`fid=${bob}&target_fid=${alice}&link_type=follow`],
  'hub-fetch-user-following': () => [`fid=${alice}`],
  'hub-fetch-user-followers': () => [`target_fid=${alice}`],
  'hub-fetch-user-data': () => [`fid=${alice}`, `fid=${erin}&user_data_type=2`],
  'hub-fetch-verifications-by-fid': () => [`fid=${alice}`, `fid=${carol}`],
};

/** A request of the table for the first page. */
export interface Reading {
  readonly operationId: string;
  /** Whether it has pages. */
  readonly hasPages: boolean;
  readonly path: string;
  /** @returns the path of another page */
  page(cursor: string): string;
}

/** Operations that read through the cache. */
export const readOperations = operations.filter(({ read }) => read !== undefined);

const DIALECTS: readonly Dialect[] = ['neutral', 'ecosystem'];

/**
 * @returns every request of the table in both dialects, with and without a viewer
 * @throws Error for an operation that is not in the table
 */
export const readCasesOf = (environment: QueryEnvironment, viewers: readonly number[]): Reading[] =>
  readOperations.flatMap(({ id, path, query }) => {
    const queries = READ_QUERIES[id];
    if (queries === undefined) throw new Error(`${id} reads through the cache: add a line to READING_QUERIES`);
    const members = Object.keys(query?.properties ?? {});
    const size = members.includes('limit') ? '&limit=3' : members.includes('pageSize') ? '&pageSize=3' : '';
    const cursor = members.includes('cursor') ? 'cursor' : 'pageToken';
    const paths = [...new Set(DIALECTS.map((dialect) => wirePath(path, dialect)))];
    return queries(environment).flatMap((text) => {
      const asked =
        members.includes('viewer_fid') && !text.includes('viewer_fid') ? [undefined, ...viewers] : [undefined];
      return asked.flatMap((viewer) =>
        paths.map((one) => {
          const first = `${one}?${text}${viewer === undefined ? '' : `&viewer_fid=${viewer}`}${size}`;
          return {
            operationId: id,
            hasPages: size !== '',
            path: first,
            page: (place: string) => `${first}&${cursor}=${encodeURIComponent(place)}`,
          };
        }),
      );
    });
  });
