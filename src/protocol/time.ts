import { DAY_SECONDS } from '../duration.js';
/** 2021-01-01T00:00:00Z, the epoch of the protocol, in Unix milliseconds. */
export const FARCASTER_EPOCH_MS = 1_609_459_200_000;

/** @returns Unix milliseconds of a protocol timestamp (seconds since 2021-01-01T00:00:00Z) */
export const toUnixMs = (protocolSeconds: number): number => FARCASTER_EPOCH_MS + protocolSeconds * 1000;

/** @returns Unix milliseconds as ISO-8601 in UTC */
export const unixMsToIso = (ms: number): string =>
  ms % 1000 === 0 ? toIso((ms - FARCASTER_EPOCH_MS) / 1000) : new Date(ms).toISOString();

/** @returns whole protocol seconds at `ms` (Unix milliseconds); negative before 2021 */
export const fromUnixMs = (ms: number): number => Math.floor((ms - FARCASTER_EPOCH_MS) / 1000);

const HOUR_SECONDS = 3_600;
/** Cached date parts of timestamps, by the day since 2021-01-01; at most `DAYS` entries. */
const days = new Map<number, string>();
const DAYS = 4_000;
/** `00` to `59` */
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

const dayOf = (day: number): string => {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = new Date(toUnixMs(day * DAY_SECONDS)).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (days.size >= DAYS) days.clear();
  days.set(day, text);
  return text;
};

/**
 * @returns a protocol timestamp as ISO-8601 in UTC, `2024-04-01T12:00:00.000Z`. Faster than `Date`, because pages have
 *   dozens of timestamps.
 */
export const toIso = (protocolSeconds: number): string => {
  const day = Math.floor(protocolSeconds / DAY_SECONDS);
  const second = protocolSeconds - day * DAY_SECONDS;
  const hour = Math.floor(second / HOUR_SECONDS);
  const minute = Math.floor((second - hour * HOUR_SECONDS) / 60);
  return `${dayOf(day)}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second % 60]}.000Z`;
};

/** The last time that a message can have, in protocol seconds: times are stored as `integer`. */
export const LATEST_TIME = 2_147_483_647;
