import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { delay } from './delay.js';

/** The loop of the process must not be held for longer by anything that a stranger sends. */
export const MOST_HELD_MS = 50;
/** By how much the process may grow. */
export const MOST_GROWTH = 64 * 1024 * 1024;
/** Tries of what held the loop: a job of the service may have. */
const TRIES = 8;
/** How long and how often is looked for such a job. */
const PROBE_MS = 50;
const PROBES = 100;

const SCHEDULER = '/proc/thread-self/schedstat';
const isLinux = existsSync(SCHEDULER);

/** @returns milliseconds that this thread has worked; where the system does not tell, milliseconds that have passed */
const workedMs = (): number =>
  isLinux ? Number(readFileSync(SCHEDULER, 'latin1').split(' ', 1)[0]) / 1e6 : performance.now();

/** @returns the longest time without a turn of others while something is done, in milliseconds of work of this thread */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = workedMs();
  const look = (): void => {
    const now = workedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
    look();
  }
  return longest;
};

/** Waits until no job of the service holds the loop: the embedded database works in this thread. */
const quiet = async (): Promise<void> => {
  for (let probe = 0; probe < PROBES; probe++) if ((await longestTurn(() => delay(PROBE_MS))) < PROBE_MS / 2) return;
};

/** Work that takes `SAMPLE_MS` where a core has nothing else to do. */
const SAMPLE = `"${'\\u0041'.repeat(350_000)}"`;
const SAMPLE_MS = 3.3;
/** No slower machine is allowed for: a sample that was interrupted must not excuse what holds the loop. */
const MOST_SLOWNESS = 3;

/**
 * @returns by how much the processor is slower now, from 1 to `MOST_SLOWNESS`. A machine that shares its cores with
 *   others does not know what it waits for them: the same work takes up to three times as long
 */
const slowness = (): number => {
  const times = Array.from({ length: 9 }, () => {
    const began = workedMs();
    JSON.parse(SAMPLE);
    return workedMs() - began;
  });
  const median = times.sort((a, b) => a - b)[4] as number;
  return Math.min(MOST_SLOWNESS, Math.max(1, median / SAMPLE_MS));
};

/**
 * Does something until it does not hold the loop of this process. Time in which other programs of the machine had the
 * processor does not count, and a slow processor is allowed for.
 * @param work gets the number of the try
 * @returns the fewest milliseconds in which nothing else of the process had its turn
 */
export const heldMs = async (work: (attempt: number) => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > MOST_HELD_MS; attempt++) {
    if (attempt > 0) await quiet();
    const held = await longestTurn(() => work(attempt));
    least = Math.min(least, held > MOST_HELD_MS ? held / slowness() : held);
  }
  return least;
};
