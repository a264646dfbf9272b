import { buildServer } from '../../src/api/server.js';
import { type Change, createChange } from '../../src/cache/invalidating-write.js';
import type { Freshness } from '../../src/cache/freshness.js';
import type { Ingest } from '../../src/ingest/pipeline.js';
import { insertChange, invalidationOf } from '../../src/store/change.js';
import { type Tag, tagOf } from '../../src/store/tag.js';
import { openTestIngest } from './ingest.js';
import { type Network, startNetwork } from './network.js';
import { openTestReads, type WatchedDatabase, watchDatabase } from './read-cache.js';

const CACHE_BYTES = 64 * 1024 * 1024;
/** A tag of a kind that nothing else has, for rows of the change table that mean nothing. */
const markOf = tagOf(31);

/** What a request is answered. */
export interface Answer {
  /** What must be the same for all readers. */
  readonly shown: {
    readonly status: number;
    /** Without the text of cursors, which hold the time of the first page: a cached page is an earlier one. */
    readonly body: unknown;
  };
  /** Place of the next page. */
  readonly cursor: string | undefined;
}

/** A service of its own over the database of a network, with its own cache. */
export interface Reader {
  readonly freshness: Freshness;
  /** Sends a request. */
  ask(path: string): Promise<Answer>;
  /** @returns names of the statements sent since the last call, and lets them be held back */
  readonly watched: Pick<WatchedDatabase, 'sent' | 'hold'>;
  /** Fulfilled once all that was committed before the call is known from the change table. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

let marks = 0;

/**
 * @param options `clock` gives Unix milliseconds; `cacheBytes` 0: nothing is cached; `isFollowing` false: the change
 *   table is not looked at where the cache is trusted without; `hears` false: an invalidation of the tag is ignored
 */
export const openReader = async (
  network: Network,
  options: {
    readonly clock: () => number;
    readonly cacheBytes?: number;
    readonly isFollowing?: boolean;
    readonly hears?: (tag: Tag) => boolean;
  },
): Promise<Reader> => {
  const { clock, cacheBytes = CACHE_BYTES, isFollowing = true, hears } = options;
  const { services } = network.app;
  const { db } = services;
  const watched = watchDatabase(db);
  // The look at the change table goes past the watch: it is no statement of a request.
  const { freshness } = openTestReads(db, 0);
  if (hears !== undefined) {
    const { clock: tagClock } = freshness;
    const invalidate = tagClock.invalidate.bind(tagClock);
    tagClock.invalidate = (tags) => invalidate([...tags].filter(hears));
  }
  const { reads } = openTestReads(watched.db, cacheBytes, { clock, freshness });
  const { fastify, stop } = buildServer({ ...services, reads });
  await fastify.ready();
  if (isFollowing || db.kind !== 'embedded') await freshness.start();
  return {
    freshness,
    watched,
    ask: async (path) => {
      const { statusCode, body } = await fastify.inject({ url: path, headers: { 'x-api-key': network.apiKey } });
      let cursor: string | undefined;
      const parsed = JSON.parse(body, (name, value) => {
        if (name === 'request_id') return '';
        if ((name !== 'cursor' && name !== 'nextPageToken') || typeof value !== 'string' || value === '') return value;
        cursor = value;
        return name === 'cursor' ? 'more' : value;
      });
      return { shown: { status: statusCode, body: parsed }, cursor };
    },
    catchUp: async () => {
      const { clock: tags } = freshness;
      const mark: Tag = markOf(++marks);
      const before = tags.now();
      await insertChange(db, invalidationOf([mark]));
      while (!tags.isInvalidatedSince(before, [mark])) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    stop: async () => {
      await freshness.stop();
      await stop();
    },
  };
};

/** A network in which everything is written beside the service, and heard of at once by one reader alone. */
export interface ReadNetwork {
  readonly network: Network;
  /** Hears of what is written at once. */
  readonly near: Reader;
  readonly ingest: Ingest;
  readonly change: Change;
  stop(): Promise<void>;
}

/** @param clock Unix milliseconds of all readers */
export const startReadNetwork = async (clock: () => number): Promise<ReadNetwork> => {
  const network = await startNetwork({}, undefined, { clock });
  const near = await openReader(network, { clock, isFollowing: false });
  const { db } = network.app.services;
  return {
    network,
    near,
    ingest: openTestIngest(db, { onCommit: near.freshness.invalidate }),
    change: createChange(db, near.freshness),
    stop: async () => {
      await near.stop();
      await network.stop();
    },
  };
};
