import { fromUnixMs } from '../protocol/time.js';

/** Seconds. */
export const DAY = 86_400;

/** Standard end of the sample network: 2026-11-01T00:00:00Z. */
const SAMPLE_TIME_MS = 1_793_491_200_000;
const FOUR_WEEKS_MS = 28 * 86_400_000;
/** Rented storage counts for a year, and the sample's accounts rent theirs up to four weeks before its end. */
const TTL_MS = 11 * FOUR_WEEKS_MS;

/**
 * @param nowMs the real time, Unix milliseconds
 * @returns the protocol time at which the sample network ends: a fixed moment, so that its hashes are the same
 *   everywhere. If the clock of the machine is behind it, a multiple of four weeks is subtracted, because hubs reject
 *   messages of the future. Later, a multiple of 44 weeks is added, because rented storage expires after a year.
 */
export const sampleTime = (nowMs = Date.now()): number => {
  const ahead = Math.max(0, Math.ceil((SAMPLE_TIME_MS - nowMs) / FOUR_WEEKS_MS));
  const lives = Math.max(0, Math.floor((nowMs - SAMPLE_TIME_MS) / TTL_MS));
  return fromUnixMs(SAMPLE_TIME_MS - ahead * FOUR_WEEKS_MS + lives * TTL_MS);
};

/** Protocol seconds that increase with every message, so that each has a different time. */
export interface Clock {
  now(): number;
  /** Advances by `seconds` (1 by default). @returns the new time */
  tick(seconds?: number): number;
}

/** @returns a clock that starts at `start` (protocol seconds) */
export const createClock = (start: number): Clock => {
  let time = start;
  return {
    now: () => time,
    tick: (seconds = 1) => {
      time += seconds;
      return time;
    },
  };
};
