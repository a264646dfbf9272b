import { vi } from 'vitest';
import { buildServer } from '../../src/api/server.js';
import type { Freshness } from '../../src/cache/freshness.js';
import { ReplicaPool } from '../../src/db/replica/pool.js';
import type { Tag } from '../../src/db/statement.js';
import type { Ingest } from '../../src/ingest/pipeline/pipeline.js';
import { insertChange, invalidationOf } from '../../src/store/change.js';
import { createWriteAndInvalidate, type WriteAndInvalidate } from '../../src/store/invalidating-transaction.js';
import { selectLogPosition } from '../../src/store/log-position.js';
import { tagOf } from '../../src/store/tag.js';
import { openTestIngest } from './ingest.js';
import { type Network, startNetwork } from './network.js';
import { openTestReads, type WatchedDatabase, watchDatabase } from './read-cache.js';

const CACHE_BYTES = 64 * 1024 * 1024;
/** A tag of an unused kind, for meaningless rows of the change table. */
const markOf = tagOf(31);

export interface TestResponse {
  /** Members that must be the same for all readers. */
  readonly shown: {
    readonly status: number;
    /** Without cursors, which contain the time of the first page and so differ in a cached page. */
    readonly body: unknown;
  };
  /** Cursor of the next page. */
  readonly cursor: string | undefined;
}

/** A separate service with its own cache on a network's database. */
export interface Reader {
  readonly freshness: Freshness;
  /** Sends a request. */
  ask(path: string): Promise<TestResponse>;
  /** @returns names of the statements sent since the last call, and lets them be delayed */
  readonly watched: Pick<WatchedDatabase, 'sent' | 'hold'>;
  /** Resolves once everything committed before the call is known from the change table. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

let marks = 0;

/** @returns the replicas of the network's database, for a reader of its own; undefined: it has none */
const openTestReplicas = ({ app, config }: Network, { clock }: Freshness): ReplicaPool | undefined => {
  const { db } = app.services;
  const ignored = (): void => undefined;
  if (config.replicas.length === 0) return undefined;
  return new ReplicaPool({
    urls: config.replicas.map((url) => url.reveal()),
    connections: config.databaseConnections,
    primary: db,
    selectPosition: () => selectLogPosition(db),
    moment: () => clock.now(),
    around: (_, send) => send(),
    sent: ignored,
    fellBack: ignored,
    changed: ignored,
  });
};

/**
 * @param options `clock` gives Unix milliseconds; `cacheBytes` 0: nothing is cached; `isFollowing` false: the change
 * table is not polled if the cache is usable without it; `hears` false: an invalidation of the tag is ignored
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
  // Polls of the change table bypass the recorder, because they are not part of a request.
  const { freshness } = openTestReads(db, 0);
  if (hears !== undefined) {
    const { clock: tagClock } = freshness;
    const invalidate = tagClock.invalidate.bind(tagClock);
    tagClock.invalidate = (tags) => invalidate([...tags].filter(hears));
  }
  // What is stored is read from the primary.
  const replicas = cacheBytes > 0 ? openTestReplicas(network, freshness) : undefined;
  const { reads } = openTestReads(watched.db, cacheBytes, {
    clock,
    freshness,
    replicas: replicas && watched.watch(replicas),
  });
  const { fastify, stop } = buildServer({ ...services, reads });
  await fastify.ready();
  replicas?.start();
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
      await vi.waitUntil(() => tags.isInvalidatedSince(before, [mark]), { timeout: 30_000, interval: 5 });
    },
    stop: async () => {
      await freshness.stop();
      await stop();
      await replicas?.stop();
    },
  };
};

/** A network that is written outside of the service; only one reader is notified immediately. */
export interface ReadNetwork {
  readonly network: Network;
  /** Is notified of writes immediately. */
  readonly near: Reader;
  readonly ingest: Ingest;
  readonly change: WriteAndInvalidate;
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
    change: createWriteAndInvalidate({ db, changed: near.freshness.invalidate }),
    stop: async () => {
      await near.stop();
      await network.stop();
    },
  };
};
