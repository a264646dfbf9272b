import { UserDataType } from '@farcaster/core';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import type { Database } from '../../src/db/database.js';
import type { FidFilter } from '../../src/ingest/fid-filter.js';
import type { HubMeter } from '../../src/ingest/hub/meter.js';
import { HubReader, type HubReaderOptions } from '../../src/ingest/hub/reader.js';
import type { IngestItem } from '../../src/ingest/item.js';
import { audit } from '../../src/ingest/pipeline/audit.js';
import type { IngestDependencies } from '../../src/ingest/pipeline/dependencies.js';
import type { Ingest } from '../../src/ingest/pipeline/pipeline.js';
import { type Author, author } from '../../src/sample/author.js';
import { createClock, sampleTime } from '../../src/sample/clock.js';
import { openTestDatabase, type TestDatabase } from './database.js';
import type { FakeHub } from './fake-hub.js';
import { openTestIngest } from './ingest.js';

export const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

/** Waits until `check` succeeds; fails with its last error. */
export const until = (check: () => unknown, milliseconds = 45_000): Promise<void> =>
  vi.waitFor(
    async () => {
      if ((await check()) === false) throw new Error(`not within ${milliseconds} ms: ${check}`);
    },
    { timeout: milliseconds, interval: 20 },
  );

/** @returns a meter and its counts. */
export const countingMeter = () => {
  const counts = { stored: 0, gaps: 0, garbage: 0, repeated: 0, unknown: 0, reconnects: [] as string[] };
  const meter: HubMeter = {
    stored: (_shard, events) => {
      counts.stored += events;
    },
    reconnected: (_shard, reason) => counts.reconnects.push(reason),
    gap: () => counts.gaps++,
    garbage: () => counts.garbage++,
    repeated: () => counts.repeated++,
    unknownType: () => counts.unknown++,
  };
  return { meter, counts };
};

/** A database with its pipeline that reads from a hub. */
export interface Reading {
  readonly db: Database;
  readonly database: TestDatabase;
  readonly ingest: Ingest;
  readonly counts: ReturnType<typeof countingMeter>['counts'];
  /** Starts a reader; the previous one must be stopped. */
  start(options?: Partial<HubReaderOptions>): HubReader;
  readonly reader: HubReader;
  /** Replaces the filter of the pipeline. */
  choose(filter: FidFilter): void;
  stop(): Promise<void>;
}

/** @param hub what is read: a fake hub, or a service. @param channelRegistrar of the pipeline */
export const openHubFixture = async (
  hub: Pick<FakeHub, 'address'>,
  filter?: FidFilter,
  channelRegistrar?: string,
): Promise<Reading> => {
  const database = await openTestDatabase();
  const { db, drop } = database;
  let chosen = filter;
  const isIndexed: IngestDependencies['isIndexed'] = (message) => chosen?.accepts(message) ?? true;
  const ingest = openTestIngest(db, { isIndexed, channelRegistrar });
  const { meter, counts } = countingMeter();
  let reader: HubReader | undefined;
  return {
    db,
    database,
    ingest,
    counts,
    start: (options = {}) => {
      const parts = { address: hub.address, db, ingest, log, meter, ...(filter ? { filter } : {}) };
      reader = new HubReader({ ...parts, ...options });
      return reader;
    },
    choose: (next) => {
      chosen = next;
    },
    get reader() {
      return reader as HubReader;
    },
    stop: async () => {
      await reader?.stop();
      await drop();
    },
  };
};

/** @returns the items that register an account: registration, storage, key, name and profile. */
export const registration = async (account: Author): Promise<IngestItem[]> => [
  account.register(),
  account.rent(2),
  await account.addSigner(),
  await account.fnameProof(`user${account.fid}`),
  account.userData(UserDataType.USERNAME, `user${account.fid}`).item,
  account.userData(UserDataType.DISPLAY, `User ${account.fid}`).item,
];

/** @returns accounts with these fids, on one clock that starts a day ago. */
export const authors = <const Fids extends readonly number[]>(...fids: Fids): { [Index in keyof Fids]: Author } => {
  const clock = createClock(sampleTime() - 86_400);
  return fids.map((fid) => author({ seed: 'hub', fid, clock })) as { [Index in keyof Fids]: Author };
};

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/** @returns the hashes of all messages in force, sorted. */
export const storedHashes = async (db: Database): Promise<string[]> => {
  const rows = await db.run<{ hash: Buffer }>('select hash from message where not void');
  return rows.map(({ hash }) => hex(hash)).sort();
};

/** @returns the hashes of the hub's messages, in the same form. */
export const hubHashes = (hub: FakeHub): string[] =>
  hub.state
    .all()
    .map(({ decoded }) => hex(decoded.envelope.hash))
    .sort();

/** Waits until no sync of accounts is running or due. */
export const waitUntilSynced = (db: Database): Promise<void> =>
  until(async () => {
    const [row] = await db.run<{ open: number }>('select count(*) open from hub_sync where finished_at is null');
    return row?.open === 0;
  });

/** Waits until the store has exactly the hub's messages, each once, and consistent derived state. */
export const expectSame = async (db: Database, hub: FakeHub): Promise<void> => {
  await until(async () => expect(await storedHashes(db)).toEqual(hubHashes(hub)));
  expect(await audit(db)).toEqual([]);
};
