import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { delay } from '../../../test/support/delay.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';
import type { SharedRateStore } from './shared-store.js';

const KEY = { keyId: 'key', planId: null };
const keylessReads = { perAddress: 3, total: 5 };

let limiters: RateLimiter[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const limiter of limiters) limiter.close();
  limiters = [];
  vi.useRealTimers();
});

/** A store in memory, whose windows begin with the first count and end after a minute. */
const newStore = () => {
  const counts = new Map<string, { points: number; endsAt: number }>();
  const writes: number[] = [];
  let failure: Error | undefined;
  const store: SharedRateStore = {
    add: async (added) => {
      if (failure !== undefined) throw failure;
      writes.push(added.length);
      return added.map(({ key, points }) => {
        const now = Date.now();
        let count = counts.get(key);
        if (count === undefined || count.endsAt <= now) count = { points: 0, endsAt: now + 60_000 };
        count.points += points;
        counts.set(key, count);
        return { key, points: count.points, endsInMs: count.endsAt - now };
      });
    },
    close: () => undefined,
  };
  const fail = (error: Error | undefined): void => {
    failure = error;
  };
  return { store, counts, writes, fail };
};

const newProcess = (limit: number | (() => number), store?: SharedRateStore) => {
  const failures: unknown[] = [];
  const planLimit = typeof limit === 'number' ? () => limit : limit;
  const limiter = createRateLimiter({ keylessReads, planLimit, store, storeFailed: (error) => failures.push(error) });
  limiters.push(limiter);
  const consume = async (operation = 'operation') => limiter.of(operation).consumeForKey(KEY);
  /** @returns the number of admitted requests */
  const admit = async (requests: number): Promise<number> => {
    const allowances = await Promise.all(Array.from({ length: requests }, () => consume()));
    return allowances.filter((allowance) => allowance?.exceeded === false).length;
  };
  return { limiter, consume, admit, failures };
};

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

describe('one process', () => {
  test('admits exactly the limit in each minute, which begins with a first request', async () => {
    const { consume, admit } = newProcess(5);
    expect(await consume()).toEqual({ limit: 5, remaining: 4, resetSeconds: 60, exceeded: false });
    await seconds(20);
    expect(await admit(10)).toBe(4);
    expect(await consume()).toEqual({ limit: 5, remaining: 0, resetSeconds: 40, exceeded: true });
    expect(await consume('other')).toMatchObject({ remaining: 4 });
    await seconds(40);
    expect(await admit(10)).toBe(5);
  });

  test('applies a changed limit in the same minute', async () => {
    let limit = 5;
    const { consume, admit } = newProcess(() => limit);
    expect(await admit(20)).toBe(5);
    limit = 12;
    expect(await admit(20)).toBe(7);
    limit = 3;
    expect(await consume()).toMatchObject({ limit: 3, remaining: 0, exceeded: true });
  });

  test('limits addresses to a fixed number, and with 0 or a plan without limit nothing', async () => {
    const limited = createRateLimiter({ keylessReads, planLimit: () => null });
    expect(limited.of('operation').consumeForKey(KEY)).toBeUndefined();
    expect(await limited.of('operation').consumeForAddress('::1')).toMatchObject({ limit: 600, remaining: 599 });
    const unlimited = createRateLimiter({ keylessReads, perMinute: 0, planLimit: () => 5 });
    expect(unlimited.of('operation').consumeForKey(KEY)).toBeUndefined();
    expect(unlimited.of('operation').consumeForAddress('::1')).toBeUndefined();
  });
});

describe('reads without a key', () => {
  test('count for their address and for all addresses, and refused ones count for neither', async () => {
    const limiter = createRateLimiter({ keylessReads, planLimit: () => null });
    const exceeded = async (address: string, requests: number) => {
      const all = [];
      for (let sent = 0; sent < requests; sent++) all.push((await limiter.consumeForKeylessRead(address)).exceeded);
      return all;
    };
    expect(await exceeded('a', 5)).toEqual([false, false, false, true, true]);
    expect(await exceeded('b', 3)).toEqual([false, false, true]);
    await seconds(60);
    expect(await exceeded('c', 4)).toEqual([false, false, false, true]);
  });
});

describe('processes that share a store', () => {
  test('exceed the limit only until each has reported once more', async () => {
    const { store } = newStore();
    const [one, other] = [newProcess(100, store), newProcess(100, store)];
    expect((await one.admit(70)) + (await other.admit(60))).toBe(130);
    await seconds(1);
    // It reported first, so it does not know the requests of the other process yet.
    expect(await one.admit(10)).toBe(10);
    expect(await other.admit(10)).toBe(0);
    await seconds(1);
    expect((await one.admit(10)) + (await other.admit(10))).toBe(0);
    expect(await other.consume()).toMatchObject({ remaining: 0, exceeded: true });
    await seconds(60);
    expect(await one.admit(10)).toBe(10);
  });

  test('share the window and the rest after a second', async () => {
    const { store, counts } = newStore();
    const one = newProcess(100, store);
    expect(await one.admit(40)).toBe(40);
    await seconds(10);
    const other = newProcess(100, store);
    expect(await other.consume()).toMatchObject({ remaining: 99, resetSeconds: 60 });
    await seconds(1);
    expect(await other.consume()).toMatchObject({ remaining: 58, resetSeconds: 50 });
    await seconds(1);
    expect(counts.get('key operation')?.points).toBe(42);
  });

  test('write once a second, and only what was admitted', async () => {
    const { store, counts, writes } = newStore();
    const { admit, consume } = newProcess(10, store);
    await admit(50);
    await consume('other');
    await seconds(1);
    await admit(50);
    await seconds(5);
    expect(writes).toEqual([2]);
    expect([...counts.values()].map(({ points }) => points)).toEqual([10, 1]);
  });

  test('count requests that arrive during a write once', async () => {
    const { store, counts } = newStore();
    const slow: SharedRateStore = {
      ...store,
      add: async (added) => {
        const sums = await store.add(added);
        await delay(1_500);
        return sums;
      },
    };
    const { admit, consume } = newProcess(100, slow);
    await admit(10);
    await seconds(1);
    await admit(5);
    await seconds(1.5);
    expect(await consume()).toMatchObject({ remaining: 84 });
    await seconds(5);
    expect(counts.get('key operation')?.points).toBe(16);
  });
});

describe('a store that fails', () => {
  test('rejects no request: the process limits alone, reports it once and counts again later', async () => {
    const { store, counts, fail } = newStore();
    const { admit, failures } = newProcess(20, store);
    expect(await admit(5)).toBe(5);
    const error = new Error('unavailable');
    fail(error);
    await seconds(2);
    expect(await admit(40)).toBe(15);
    await seconds(3);
    expect(failures).toEqual([error]);
    fail(undefined);
    await seconds(1);
    expect(failures).toEqual([error, undefined]);
    expect(counts.get('key operation')?.points).toBe(20);
  });

  test('gets no requests of a window that has ended', async () => {
    const { store, counts, fail } = newStore();
    const { admit } = newProcess(20, store);
    fail(new Error('unavailable'));
    expect(await admit(20)).toBe(20);
    await seconds(61);
    expect(await admit(3)).toBe(3);
    fail(undefined);
    await seconds(1);
    expect(counts.get('key operation')?.points).toBe(3);
  });
});
