import { fromFarcasterTime } from '@farcaster/core';
import { expect, it } from 'vitest';
import { FARCASTER_EPOCH_MS, fromUnixMs, toIso, toUnixMs } from './time.js';

it('counts seconds from 2021', () => {
  expect(FARCASTER_EPOCH_MS).toBe(Date.UTC(2021, 0, 1));
  expect(toIso(0)).toBe('2021-01-01T00:00:00.000Z');
  expect(toIso(0xffffffff)).toBe('2157-02-07T06:28:15.000Z');
  expect(toUnixMs(73_612_800)).toBe(fromFarcasterTime(73_612_800)._unsafeUnwrap());
});

it('rounds down to whole seconds', () => {
  expect(fromUnixMs(Date.UTC(2021, 0, 1, 0, 0, 1, 999))).toBe(1);
  expect(fromUnixMs(Date.UTC(2020, 11, 31, 23, 59, 59))).toBe(-1);
  expect(fromUnixMs(toUnixMs(123_456_789))).toBe(123_456_789);
});
