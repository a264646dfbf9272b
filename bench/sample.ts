import type { Database } from '../src/db/database.js';
import { createRandom, createWeightedSampler, type Random, zipf } from '../src/sample/random.js';
import type { IdKind, ReadOperation } from './read-operation.js';

/** Ids of a working set, drawn evenly. */
const WARM_IDS = 2_000;
/** Different requests for the working set; their responses must fit into the memory of the limit's server. */
const WARM_REQUESTS = 2_000;
/** Different requests for everything that is stored. */
const ZIPF_REQUESTS = 10_000;
/** Zipf exponent of popularity; typical networks have 0.6 to 1. */
const ZIPF_EXPONENT = 0.8;

/** The requests for one operation, as paths. */
export interface Requests {
  /** Repeated: ids of a working set that fits the caches, drawn evenly. */
  readonly repeated: readonly string[];
  /** Zipf: ids of everything stored, drawn by popularity with a heavy tail (exponent 0.8). */
  readonly zipf: readonly string[];
}

/** An operation with its requests. */
export interface RequestedOperation {
  readonly operation: ReadOperation;
  readonly requests: Requests;
}

/** Which ids may be requested, and their order of popularity. */
const SOURCES: Readonly<Record<IdKind, { id: string; from: string; order: string }>> = {
  account: { id: 'fid::text', from: 'account where registered_at is not null', order: 'follower_count desc, fid' },
  name: { id: 'username', from: 'account where username is not null', order: 'follower_count desc, fid' },
  // Only full pages: shorter ones would be faster.
  author: { id: 'fid::text', from: 'account where cast_count >= 25', order: 'cast_count desc, fid' },
  reactor: {
    id: 'fid::text',
    from: 'account where exists (select from message m where m.fid = account.fid and m.type = 3)',
    order: 'follower_count desc, fid',
  },
  follower: { id: 'fid::text', from: 'account where following_count >= 5', order: 'following_count desc, fid' },
  followed: { id: 'fid::text', from: 'account where follower_count >= 25', order: 'follower_count desc, fid' },
  notified: { id: 'fid::text', from: 'account where cast_count > 0', order: 'follower_count desc, fid' },
  channel: { id: 'id', from: 'channel where follower_count > 0', order: 'follower_count desc, id' },
  place: { id: `latitude || ' ' || longitude`, from: 'place', order: 'latitude, longitude' },
  cast: {
    id: `encode(c.hash, 'hex')`,
    from: '"cast" c left join cast_count n using (fid, hash)',
    order: 'coalesce(n.like_count, 0) desc, c.hash',
  },
};

/** Pages of one account's casts are larger than single entities, and a page of 1,000 followers has 260 KB. */
const SHARES: Partial<Record<IdKind, number>> = { author: 1 / 4, channel: 1 / 20 };

const warmIds = (kind: IdKind): number => WARM_IDS * (SHARES[kind] ?? 1);

const sampleDistinct = (count: number, draw: () => string): string[] => {
  const ids = new Set<string>();
  for (let attempt = 0; ids.size < count && attempt < 20 * count; attempt++) ids.add(draw());
  return [...ids];
};

const paths = (operation: ReadOperation, count: number, draw: () => string, viewer: () => string): string[] =>
  Array.from({ length: count }, () => operation.path(sampleDistinct(operation.idsPerRequest, draw), viewer()));

const selectWorkingSet = async (db: Database, kind: IdKind): Promise<string[]> => {
  const { id, from } = SOURCES[kind];
  const rows = await db.run<{ id: string }>(`select ${id} as id from ${from} order by md5(${id}) limit $1`, [
    warmIds(kind),
  ]);
  return rows.map((row) => row.id);
};

/** @returns `count` ids, popular ones repeatedly; only the drawn ones are read from the database */
export const selectPopular = async (db: Database, kind: IdKind, random: Random, count: number): Promise<string[]> => {
  const { id, from, order } = SOURCES[kind];
  const [total] = await db.run<{ count: number }>(`select count(*) from ${from}`);
  const sampleRank = createWeightedSampler(
    Float64Array.from({ length: total?.count ?? 0 }, (_, rank) => zipf(rank, ZIPF_EXPONENT)),
  );
  const drawn = Array.from({ length: count }, () => 1 + sampleRank(random));
  const rows = await db.run<{ id: string; rank: number }>(
    `select id, rank from (select ${id} as id, row_number() over (order by ${order}) as rank from ${from}) ranked
      where rank = any($1)`,
    [[...new Set(drawn)]],
  );
  const ids = new Map(rows.map((row) => [row.rank, row.id]));
  return drawn.map((rank) => ids.get(rank) as string);
};

/** @returns a function that draws a request's viewer: popular accounts, or '' for operations without one */
const selectViewers = async (db: Database, { id, isPersonal }: ReadOperation): Promise<() => string> => {
  if (!isPersonal) return () => '';
  const viewers = await selectPopular(db, 'account', createRandom('bench-viewer', id), ZIPF_REQUESTS + WARM_REQUESTS);
  let next = 0;
  return () => viewers[next++ % viewers.length] as string;
};

/** @returns the requests of an operation, the same for the same network */
export const selectRequests = async (db: Database, operation: ReadOperation): Promise<Requests> => {
  const random = createRandom('bench-read', operation.id);
  const set = await selectWorkingSet(db, operation.of);
  if (set.length === 0) throw new Error(`Nothing is stored to ask ${operation.id} for: take a larger --scale.`);
  const popular = await selectPopular(db, operation.of, random, 2 * ZIPF_REQUESTS * operation.idsPerRequest);
  const viewer = await selectViewers(db, operation);
  let next = 0;
  return {
    repeated:
      operation.idsPerRequest === 1
        ? set.map((id) => operation.path([id], viewer()))
        : paths(operation, WARM_REQUESTS, () => random.pick(set), viewer),
    zipf: paths(operation, ZIPF_REQUESTS, () => popular[next++ % popular.length] as string, viewer),
  };
};
