import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildProgram } from '../test/support/castellan.js';
import { until } from '../test/support/hub-fixture.js';
import type { Answer } from './load.js';
import { World, type WorldPlan } from './world.js';

/** Share of what the service answers at most, at which it is asked. */
const LOAD = 0.6;
/** Answered writes before a fault and after it. */
const WRITES = 30;

/** A fault, and what is true while it lasts. */
export interface Fault {
  /** The first column of the table in docs/reliability.md. */
  readonly title: string;
  readonly times: number;
  readonly plan?: WorldPlan;
  /** Whether each time needs new clusters. */
  readonly isFreshEach?: boolean;
  /** Statuses that requests may have besides 200, 503 and 504; 0: the connection broke. */
  readonly statuses?: readonly number[];
  /** Seconds for which no read, or no write, may go unanswered, at most. */
  readonly gapSeconds?: number;
  /** Milliseconds for one time, at most; 60,000 unless given. */
  readonly limitMs?: number;
  /** Brings the fault once, and resolves when it is over: the service must serve again by itself. */
  provoke(world: World, n: number): Promise<void>;
  /** Checks what else is true, when all processes have ended. */
  after?(world: World): Promise<void>;
}

/** A row of the table. */
export interface FaultRow {
  readonly title: string;
  readonly times: number;
  readonly requests: number;
  /** Number of requests by status, without 200. */
  readonly failed: Readonly<Record<string, number>>;
  /** Longest time without an answered read, or write, in seconds. */
  readonly withoutRead: number;
  readonly withoutWrite: number;
  /** Longest time from the end of the fault until everything worked again, in seconds. */
  readonly recovered: number;
}

/** @returns the longest time between two successes, in seconds */
const longestGap = (answers: readonly Answer[], isWrite: boolean): number => {
  const times = answers.filter((one) => one.isWrite === isWrite && one.status === 200).map(({ at }) => at);
  return times.reduce((most, at, n) => Math.max(most, n === 0 ? 0 : at - (times[n - 1] as number)), 0) / 1000;
};

const writes = async ({ load }: World): Promise<void> => {
  const before = load.acknowledged.length;
  await until(() => load.acknowledged.length >= before + WRITES);
};

/**
 * Brings a fault under load, again and again, and shows what clients saw of it. Fails if anything acknowledged or carried by the
 * hub is lost, derived state is wrong, a process ends by itself, or the service does not come back.
 */
export const testFault = (fault: Fault): void => {
  const { title, plan = {}, isFreshEach = false, statuses = [], limitMs = 60_000 } = fault;
  const times = Number(process.env.CASTELLAN_FAULT_TIMES || fault.times);
  const rounds = isFreshEach
    ? Array.from({ length: times }, (_, n) => [n])
    : [Array.from({ length: times }, (_, n) => n)];
  test(
    title,
    async () => {
      await buildProgram();
      const answers: Answer[][] = [];
      let recovered = 0;
      for (const round of rounds) {
        const world = await World.open(plan);
        try {
          world.load.start((await world.load.measure()) * LOAD);
          await writes(world);
          for (const n of round) {
            await fault.provoke(world, n);
            const over = performance.now();
            await world.serves();
            recovered = Math.max(recovered, (performance.now() - over) / 1000);
            await writes(world);
          }
          await world.check();
          await fault.after?.(world);
          answers.push([...world.load.answers]);
        } finally {
          await world.close();
        }
      }
      const failed: Record<string, number> = {};
      for (const { status } of answers.flat()) if (status !== 200) failed[status] = (failed[status] ?? 0) + 1;
      const row: FaultRow = {
        title,
        times,
        requests: answers.flat().length,
        failed,
        withoutRead: Math.max(...answers.map((one) => longestGap(one, false))),
        withoutWrite: Math.max(...answers.map((one) => longestGap(one, true))),
        recovered,
      };
      console.info(JSON.stringify(row));
      const allowed = [503, 504, ...statuses];
      expect(Object.keys(failed).filter((status) => !allowed.includes(Number(status)))).toEqual([]);
      expect(Math.max(row.withoutRead, row.withoutWrite)).toBeLessThan(fault.gapSeconds ?? Number.POSITIVE_INFINITY);
      if (process.env.CASTELLAN_FAULT_ROWS)
        appendFileSync(process.env.CASTELLAN_FAULT_ROWS, `${JSON.stringify(row)}\n`);
    },
    120_000 + times * limitMs,
  );
};
