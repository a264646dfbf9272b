import { randomInt } from 'node:crypto';
import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/db/postgres.js';
import { eventIdOf } from '../../src/protocol/event/place.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { author, SAMPLE_SEED } from '../../src/sample/author.js';
import { createClock } from '../../src/sample/clock.js';
import { buildProgram, TestWorkspace } from '../support/castellan.js';
import { delay } from '../support/delay.js';
import { until } from '../support/hub-fixture.js';
import { HubProcess } from '../support/hub-process.js';
import { hasRedis } from '../support/redis.js';
import { createActivity } from '../support/sample-activity.js';
import { differenceOf } from '../support/stored-state.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { NEWER_REFUSALS, REFUSAL, Shuttle, storedMessages } from './shuttle.js';

const serverUrl = process.env.TEST_DATABASE_URL;
/** How often the service is killed; the program of the shuttle is killed with every fifth of these. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 10);
/** A run by hand may take all 300 accounts of the sample network. */
const ACCOUNTS = Number(process.env.CASTELLAN_TEST_ACCOUNTS ?? 40);
const SAMPLE = { accounts: ACCOUNTS, casts: ACCOUNTS * 16, reactions: ACCOUNTS * 50, follows: ACCOUNTS * 10 };
/** Accounts that write: few, so that they replace and remove what they have. */
const ACTIVE = 12;
/** Milliseconds: the package connects again five seconds after a stream has ended. */
const LONGEST_LIFE = 6_000;
/** Milliseconds: it reads one account after the other. */
const BACKFILL_LIMIT = 60_000 + ACCOUNTS * 4_000;
/** The package stores events by the hundred. The account that fills the last hundred does nothing else. */
const FILLER = 1;

describe.skipIf(withoutPrograms || serverUrl === undefined || !hasRedis)(
  '@farcaster/shuttle (skipped without its package, Redis, or TEST_DATABASE_URL)',
  () => {
    const work = new TestWorkspace();
    let service: HubProcess;
    let shuttle: Shuttle;
    let db: ReturnType<typeof openPostgres>;
    beforeAll(async () => {
      requirePrograms();
      await buildProgram();
      service = await HubProcess.create(work);
      const { file } = await work.writeSample('sample.ndjson', SAMPLE);
      await service.run('import', file);
      await service.start();
      db = openPostgres({ url: service.environment.DATABASE_URL as string, poolSize: 2 });
      shuttle = new Shuttle(serverUrl as string, service.address);
      await shuttle.start();
    }, 300_000);
    afterAll(async () => {
      await shuttle?.stop();
      await db?.close();
      await work.clear();
    });

    /** What both have, without the account that fills hundreds. */
    const compared = (messages: string[]): string[] => messages.filter((one) => !one.startsWith(`${FILLER} `));
    const stored = () => storedMessages((sql) => db.run<{ message: string }>(sql));
    const copied = async (where = 'true'): Promise<number> => {
      const rows = await shuttle.query<{ count: number }>(
        `select count(*)::integer as count from messages where ${where}`,
      );
      return rows[0]?.count ?? 0;
    };
    const newestEvent = async (): Promise<number> =>
      eventIdOf(Number((await db.run<{ id: number }>('select max(id) as id from hub_event'))[0]?.id));

    /** Writes until it is ended. @returns the number of messages that the service took */
    const write = async (end: AbortSignal): Promise<number> => {
      const act = createActivity(Array.from({ length: ACTIVE }, (_, index) => index + FILLER + 1));
      let taken = 0;
      while (!end.aborted) if (await service.submit(await act())) taken += 1;
      return taken;
    };

    const fillHundred = async (): Promise<void> => {
      const wanted = await newestEvent();
      const filler = author({ seed: SAMPLE_SEED, fid: FILLER, clock: createClock(fromUnixMs(Date.now()) - 3_600) });
      await until(async () => {
        if ((await shuttle.position()) >= wanted) return true;
        await service.submit(filler.userData(UserDataType.BIO, `About ${randomInt(1e9)}`));
        return false;
      }, 120_000);
      await until(() => shuttle.hasStored(), BACKFILL_LIMIT);
    };

    test(
      `has every message of a service that was killed ${KILLS} times`,
      async () => {
        const ending = new AbortController();
        const writing = write(ending.signal);
        const positions = new Set<number>();
        const copies = new Set<number>();
        await until(() => shuttle.reports.some(({ following }) => following !== undefined));
        for (let kill = 1; kill <= KILLS; kill++) {
          await delay(randomInt(LONGEST_LIFE));
          if (kill % 5 === 0) shuttle.kill();
          await service.kill();
          positions.add(await shuttle.position());
          copies.add(await copied());
          await service.start();
          // The first kill interrupts the backfill, the others what follows it.
          await until(() => shuttle.reports.some(({ consuming }) => consuming), BACKFILL_LIMIT);
        }
        ending.abort();
        const taken = await writing;
        await fillHundred();

        const [wanted, copy] = [compared(await stored()), compared(await shuttle.messages())];
        expect(differenceOf(wanted, copy)).toEqual({ first: [], second: [] });
        expect(taken).toBeGreaterThan(KILLS * 20);
        const backfilled = shuttle.reports.find((report) => report.backfilled)?.backfilled;
        expect(backfilled).toMatchObject({ accounts: ACCOUNTS });
        const reasons = [
          ...Object.keys(backfilled?.refused ?? {}),
          ...shuttle.reports.flatMap(({ skipped }) => skipped ?? []),
        ];
        const isKnown = (reason: string): boolean =>
          reason === REFUSAL || NEWER_REFUSALS.some((one) => one.test(reason));
        expect(reasons.filter((reason) => !isKnown(reason))).toEqual([]);
        expect(await copied('deleted_at is not null')).toBeGreaterThan(KILLS);
        // It followed and stored between the kills, not only after the last one.
        expect(positions.size).toBeGreaterThan(2);
        expect(copies.size).toBeGreaterThan(2);
        expect(shuttle.starts).toBeGreaterThan(KILLS / 5);
      },
      240_000 + BACKFILL_LIMIT + KILLS * 30_000,
    );
  },
);
