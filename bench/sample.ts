import { createRandom, type Random, Weighted, zipf } from '../src/sample/random.js';
import type { Database } from '../src/store/database.js';
import type { IdKind, ReadOperation } from './read-operation.js';

/** Ids of a working set, each asked for as often as any other. */
const WARM_IDS = 2_000;
/** Different requests for the working set; their answers must fit into the memory of the limit's server. */
const WARM_REQUESTS = 2_000;
/** Different requests for everything that is stored. */
const MIX_REQUESTS = 10_000;
/** How quickly popularity falls with the rank: what is read in networks lies between 0.6 and 1. */
const MIX_EXPONENT = 0.8;

/** The requests for one operation, as paths. */
export interface Requests {
  /** For ids of a working set that fits the caches, drawn evenly. */
  readonly warm: readonly string[];
  /** For ids of everything stored, drawn by popularity with a heavy tail (Zipf, exponent 0.8). */
  readonly mix: readonly string[];
}

/** Whether an id may be asked for, and its place when the most asked for come first. */
const SOURCES: Readonly<Record<IdKind, { id: string; from: string; order: string }>> = {
  account: { id: 'fid::text', from: 'account where registered_at is not null', order: 'follower_count desc, fid' },
  name: { id: 'username', from: 'account where username is not null', order: 'follower_count desc, fid' },
  // Only whole pages: a shorter one would be answered faster.
  author: { id: 'fid::text', from: 'account where cast_count >= 25', order: 'cast_count desc, fid' },
  reactor: {
    id: 'fid::text',
    from: 'account where exists (select from message m where m.fid = account.fid and m.type = 3)',
    order: 'follower_count desc, fid',
  },
  follower: { id: 'fid::text', from: 'account where following_count >= 5', order: 'following_count desc, fid' },
  followed: { id: 'fid::text', from: 'account where follower_count >= 25', order: 'follower_count desc, fid' },
  notified: { id: 'fid::text', from: 'account where cast_count > 0', order: 'follower_count desc, fid' },
  place: { id: `latitude || ' ' || longitude`, from: 'place', order: 'latitude, longitude' },
  cast: {
    id: `encode(c.hash, 'hex')`,
    from: '"cast" c left join cast_count n using (fid, hash)',
    order: 'coalesce(n.like_count, 0) desc, c.hash',
  },
};

/** Pages of one account's casts are heavier than single entities, so that fewer fill the cache as much. */
const warmIds = (kind: IdKind): number => (kind === 'author' ? WARM_IDS / 4 : WARM_IDS);

const drawDistinct = (count: number, draw: () => string): string[] => {
  const ids = new Set<string>();
  for (let attempt = 0; ids.size < count && attempt < 20 * count; attempt++) ids.add(draw());
  return [...ids];
};

const paths = (operation: ReadOperation, count: number, draw: () => string, viewer: () => string): string[] =>
  Array.from({ length: count }, () => operation.path(drawDistinct(operation.idsPerRequest, draw), viewer()));

const selectWorkingSet = async (db: Database, kind: IdKind): Promise<string[]> => {
  const { id, from } = SOURCES[kind];
  const rows = await db.run<{ id: string }>(`select ${id} as id from ${from} order by md5(${id}) limit $1`, [
    warmIds(kind),
  ]);
  return rows.map((row) => row.id);
};

/** @returns as many ids as asked for, popular ones again and again; only what was drawn is read from the database */
export const selectPopular = async (db: Database, kind: IdKind, random: Random, count: number): Promise<string[]> => {
  const { id, from, order } = SOURCES[kind];
  const [total] = await db.run<{ count: number }>(`select count(*) from ${from}`);
  const ranks = new Weighted(Float64Array.from({ length: total?.count ?? 0 }, (_, rank) => zipf(rank, MIX_EXPONENT)));
  const drawn = Array.from({ length: count }, () => 1 + ranks.draw(random));
  const rows = await db.run<{ id: string; rank: number }>(
    `select id, rank from (select ${id} as id, row_number() over (order by ${order}) as rank from ${from}) ranked
      where rank = any($1)`,
    [[...new Set(drawn)]],
  );
  const ids = new Map(rows.map((row) => [row.rank, row.id]));
  return drawn.map((rank) => ids.get(rank) as string);
};

/** @returns what draws the viewers of an operation's requests: popular accounts, or '' where it is not personalised */
const selectViewers = async (db: Database, { id, isPersonal }: ReadOperation): Promise<() => string> => {
  if (!isPersonal) return () => '';
  const viewers = await selectPopular(db, 'account', createRandom('bench-viewer', id), MIX_REQUESTS + WARM_REQUESTS);
  let next = 0;
  return () => viewers[next++ % viewers.length] as string;
};

/** @returns the requests of an operation, the same ones whenever the network is the same */
export const selectRequests = async (db: Database, operation: ReadOperation): Promise<Requests> => {
  const random = createRandom('bench-read', operation.id);
  const set = await selectWorkingSet(db, operation.of);
  if (set.length === 0) throw new Error(`Nothing is stored to ask ${operation.id} for: take a larger --scale.`);
  const popular = await selectPopular(db, operation.of, random, 2 * MIX_REQUESTS * operation.idsPerRequest);
  const viewer = await selectViewers(db, operation);
  let next = 0;
  return {
    warm:
      operation.idsPerRequest === 1
        ? set.map((id) => operation.path([id], viewer()))
        : paths(operation, WARM_REQUESTS, () => random.pick(set), viewer),
    mix: paths(operation, MIX_REQUESTS, () => popular[next++ % popular.length] as string, viewer),
  };
};
