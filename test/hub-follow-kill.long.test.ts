import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../src/db/postgres.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { eventIdOf } from '../src/protocol/event/place.js';
import { buildProgram, TestWorkspace } from './support/castellan.js';
import { delay } from './support/delay.js';
import { until } from './support/hub-fixture.js';
import { HubProcess } from './support/hub-process.js';
import { createActivity } from './support/sample-activity.js';
import { differenceOf, messagesInForce, provenNames } from './support/stored-state.js';

/** How often the followed service is killed; the one that follows is killed with every third of these. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 6);
const ACCOUNTS = 40;
const SAMPLE = { accounts: ACCOUNTS, casts: ACCOUNTS * 16, reactions: ACCOUNTS * 50, follows: ACCOUNTS * 10 };
/** Accounts that write: few, so that they replace and remove what they have. */
const ACTIVE = 12;
/** Milliseconds. */
const LONGEST_LIFE = 6_000;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  'service follows service (skipped without TEST_DATABASE_URL)',
  () => {
    const work = new TestWorkspace();
    const databases: ReturnType<typeof openPostgres>[] = [];
    let [followed, follower]: HubProcess[] = [];
    const open = ({ environment }: HubProcess) => {
      const db = openPostgres({ url: environment.DATABASE_URL as string, poolSize: 2 });
      databases.push(db);
      return db;
    };
    beforeAll(async () => {
      await buildProgram();
      followed = await HubProcess.create(work);
      follower = await HubProcess.create(work, { CASTELLAN_HUB_URL: followed.address });
      const { file } = await work.writeSample('sample.ndjson', SAMPLE);
      await followed.run('import', file);
      await followed.start();
      await follower.start();
    }, 300_000);
    afterAll(async () => {
      await Promise.all(databases.map((db) => db.close()));
      await work.clear();
    });

    test(
      `has every message of a service that was killed ${KILLS} times`,
      async () => {
        const [a, b] = [followed as HubProcess, follower as HubProcess];
        const [first, second] = [open(a), open(b)];
        const ending = new AbortController();
        const write = async (): Promise<number> => {
          const act = createActivity(Array.from({ length: ACTIVE }, (_, index) => index + 1));
          let taken = 0;
          while (!ending.signal.aborted) if (await a.submit(await act())) taken += 1;
          return taken;
        };
        const writing = write();
        const positions = new Set<number>();
        const position = async (): Promise<number> => {
          const rows = await second.run<{ id: number }>('select event_id as id from hub_position where shard = 1');
          return rows[0]?.id ?? 0;
        };
        for (let kill = 1; kill <= KILLS; kill++) {
          await delay(randomInt(LONGEST_LIFE));
          // Half of them while it is being read, the others at any time.
          const before = await position();
          if (kill % 2 === 0) await until(async () => (await position()) > before, 60_000);
          await a.kill();
          positions.add(await position());
          if (kill % 3 === 0) {
            await b.kill();
            await b.start();
          }
          await a.start();
        }
        ending.abort();
        const taken = await writing;
        const [log] = await first.run<{ newest: number }>('select max(id)::integer as newest from hub_event');
        await until(async () => expect(await position()).toBe(eventIdOf(log?.newest ?? 0)), 120_000);
        await until(async () => {
          const [open] = await second.run<{ count: number }>(
            'select count(*)::integer as count from hub_sync where finished_at is null',
          );
          expect(open?.count).toBe(0);
        }, 60_000);
        const messages = await messagesInForce(first);
        expect(differenceOf(messages, await messagesInForce(second))).toEqual({ first: [], second: [] });
        expect(differenceOf(await provenNames(first), await provenNames(second))).toEqual({ first: [], second: [] });
        expect(messages.length).toBeGreaterThan(ACCOUNTS * 50);
        expect(taken).toBeGreaterThan(KILLS * 20);
        expect(positions.size).toBeGreaterThan(2);
        expect(await audit(first)).toEqual([]);
        expect(await audit(second)).toEqual([]);
      },
      240_000 + KILLS * 30_000,
    );
  },
);
