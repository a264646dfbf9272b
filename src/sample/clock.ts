import { fromUnixMs } from '../protocol/time.js';

/** Seconds. */
export const DAY = 86_400;

/** When the sample network was written: 2026-11-01T00:00:00Z. */
const SAMPLE_TIME_MS = 1_793_491_200_000;
const FOUR_WEEKS_MS = 28 * 86_400_000;
/** Rented storage counts for a year, and the sample's accounts rent theirs up to four weeks before its end. */
const LIFE_MS = 11 * FOUR_WEEKS_MS;

/**
 * @param nowMs the real time, Unix milliseconds
 * @returns the protocol time at which the sample network ends: a fixed moment, so that its hashes are the same
 *   everywhere; on a machine whose clock is behind it, earlier by as many times four weeks as keep the messages
 *   out of the future (hubs refuse those); later by as many times 44 weeks as keep its accounts' storage, which
 *   lapses a year after it was rented, from lapsing before the network is written
 */
export function sampleTime(nowMs = Date.now()): number {
  const ahead = Math.max(0, Math.ceil((SAMPLE_TIME_MS - nowMs) / FOUR_WEEKS_MS));
  const lives = Math.max(0, Math.floor((nowMs - SAMPLE_TIME_MS) / LIFE_MS));
  return fromUnixMs(SAMPLE_TIME_MS - ahead * FOUR_WEEKS_MS + lives * LIFE_MS);
}

/** Protocol seconds that move on with every message, so that each has a time of its own. */
export interface Clock {
  /** @returns the time without moving it */
  now(): number;
  /** Moves on by `seconds` (1 when absent). @returns the new time */
  tick(seconds?: number): number;
}

/** @returns a clock that starts at `start` (protocol seconds) */
export function createClock(start: number): Clock {
  let time = start;
  return {
    now: () => time,
    tick: (seconds = 1) => {
      time += seconds;
      return time;
    },
  };
}
