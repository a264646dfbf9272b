import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';
import { type Allowance, type Counted, WINDOW_MS } from './rate-window.js';

const KEY = { keyId: 'key', planId: null };

/** A store like those of the library: a window begins with a first count, and ends after a minute. */
class Store {
  now = 0;
  window = 0;
  #total = 0;
  endsAt = 0;
  /** Points of each count, in their order. */
  readonly counts: number[] = [];
  readonly #occupied = new Set<string>();

  /** @param place with its window */
  occupy(place: string): void {
    if (this.#occupied.has(place)) throw new Error(`two requests passed with the place ${place}`);
    this.#occupied.add(place);
  }

  add(points: number): { readonly window: number; readonly total: number; readonly endsAt: number } {
    this.counts.push(points);
    if (this.now >= this.endsAt) {
      this.window += 1;
      this.#total = 0;
      this.endsAt = this.now + WINDOW_MS;
    }
    this.#total += points;
    return { window: this.window, total: this.#total, endsAt: this.endsAt };
  }
}

/** Places in a window of the store. */
interface Lease {
  readonly from: number;
  readonly to: number;
  readonly window: number;
  readonly endsAt: number;
}

/** A process whose questions to the store take as long as the test likes. */
class Process {
  readonly #store: Store;
  readonly #limiter: RateLimiter;
  limit: number;
  /** Requests let through, by the store's window that their place is in. */
  readonly passed = new Map<number, number>();
  readonly #leases: Lease[] = [];
  refused = 0;
  waiting = 0;
  #asked: { points: number; counted?: ReturnType<Store['add']>; endsInMs: number; done: (counted: Counted) => void }[] =
    [];

  constructor(store: Store, limit: number) {
    this.#store = store;
    this.limit = limit;
    this.#limiter = createRateLimiter({
      planLimit: () => this.limit,
      clock: () => store.now,
      count: { add: (_, points) => new Promise((done) => this.#asked.push({ points, endsInMs: 0, done })) },
    });
  }

  take(): void {
    const taken = this.#limiter.of('operation').takeOfKey(KEY);
    if (taken === undefined) throw new Error('nothing is limited');
    if (!(taken instanceof Promise)) {
      this.#note(taken, this.#leases);
      return;
    }
    this.waiting += 1;
    void taken.then((allowance) => {
      this.waiting -= 1;
      // Whoever waits is served by the lease that has just come, though its window may be over by then.
      this.#note(allowance, this.#leases.slice(-1), 0);
    });
  }

  /** The question arrives at the store. */
  ask(): void {
    const [asked] = this.#asked;
    if (asked === undefined || asked.counted !== undefined) return;
    asked.counted = this.#store.add(asked.points);
    asked.endsInMs = asked.counted.endsAt - this.#store.now;
  }

  /** The answer comes back. @param isReckonedLate as with PostgreSQL, where the library subtracts its own time of day */
  async answer(isReckonedLate: boolean): Promise<void> {
    const [asked] = this.#asked;
    if (asked?.counted === undefined) return;
    this.#asked = [];
    const { window, total, endsAt } = asked.counted;
    this.#leases.push({ from: total - asked.points + 1, to: total, window, endsAt });
    const endsInMs = isReckonedLate ? Math.max(0, asked.counted.endsAt - this.#store.now) : asked.endsInMs;
    asked.done({ total: asked.counted.total, endsInMs });
    await new Promise(setImmediate);
  }

  /** @param now at which the window of the place must not be over */
  #note({ exceeded, limit, remaining }: Allowance, leases: readonly Lease[], now = this.#store.now): void {
    if (exceeded) {
      this.refused += 1;
      return;
    }
    const place = limit - remaining;
    const lease = leases.find(({ from, to, endsAt }) => from <= place && place <= to && now < endsAt);
    if (lease === undefined) throw new Error(`place ${place} is in no lease of a window that runs`);
    const { window } = lease;
    this.#store.occupy(`${window} ${place}`);
    this.passed.set(window, (this.passed.get(window) ?? 0) + 1);
  }
}

const passedIn = (processes: readonly Process[], window: number): number =>
  processes.reduce((sum, { passed }) => sum + (passed.get(window) ?? 0), 0);

const which = fc.nat({ max: 3 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ take: which, times: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ ask: which }) },
  { weight: 4, arbitrary: fc.record({ answer: which }) },
  { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 40_000 }) }) },
);
const changing = fc.oneof(
  { weight: 15, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ change: fc.integer({ min: 1, max: 400 }), at: which }) },
);

describe('processes that share a count', () => {
  const run = async (
    limit: number,
    count: number,
    isReckonedLate: boolean,
    steps: readonly (typeof changing extends fc.Arbitrary<infer Step> ? Step : never)[],
  ) => {
    const store = new Store();
    const processes = Array.from({ length: count }, () => new Process(store, limit));
    const at = (index: number) => processes[index % count] as Process;
    for (const one of steps) {
      if ('take' in one) for (let n = 0; n < one.times; n++) at(one.take).take();
      else if ('ask' in one) at(one.ask).ask();
      else if ('answer' in one) await at(one.answer).answer(isReckonedLate);
      else if ('wait' in one) store.now += one.wait;
      else at(one.at).limit = one.change;
    }
    return { store, processes };
  };
  const limits = fc.integer({ min: 1, max: 400 });
  const counts = fc.integer({ min: 1, max: 4 });

  test('never let more than the limit through, however their leases mix, and all of it to who keeps asking', async () => {
    const property = async (limit: number, count: number, late: boolean, steps: Parameters<typeof run>[3]) => {
      const { store, processes } = await run(limit, count, late, steps);
      for (let window = 1; window <= store.window; window++) {
        expect(passedIn(processes, window)).toBeLessThanOrEqual(limit);
      }
      // What is under way ends, the window as well; in the next one everybody asks until there is a refusal.
      const settle = async () => {
        while (processes.some(({ waiting }) => waiting > 0)) {
          for (const one of processes) {
            one.ask();
            await one.answer(late);
          }
        }
      };
      await settle();
      store.now += 2 * WINDOW_MS;
      for (const one of processes) one.refused = 0;
      for (let round = 0; processes.some(({ refused }) => refused === 0); round++) {
        expect(round).toBeLessThanOrEqual(limit);
        for (const one of processes) if (one.refused === 0) one.take();
        await settle();
      }
      expect(passedIn(processes, store.window)).toBe(limit);
    };
    await fc.assert(fc.asyncProperty(limits, counts, fc.boolean(), fc.array(step, { maxLength: 120 }), property), {
      numRuns: 150,
    });
  });

  test('hold a limit that changes: nobody passes beyond the highest that was in force', async () => {
    const property = async (limit: number, count: number, late: boolean, steps: Parameters<typeof run>[3]) => {
      const { store, processes } = await run(limit, count, late, steps);
      const highest = Math.max(limit, ...steps.map((one) => ('change' in one ? one.change : 0)));
      for (let window = 1; window <= store.window; window++) {
        expect(passedIn(processes, window)).toBeLessThanOrEqual(highest);
      }
    };
    await fc.assert(fc.asyncProperty(limits, counts, fc.boolean(), fc.array(changing, { maxLength: 120 }), property), {
      numRuns: 100,
    });
  });
});

/** A process whose store answers at once. */
const quick = (limit: number, store = new Store()) => {
  const plan = { limit: limit as number | null };
  let isAway = false;
  const limiter = createRateLimiter({
    planLimit: () => plan.limit,
    clock: () => store.now,
    count: {
      add: async (_, points) => {
        if (isAway) return undefined;
        const { total, endsAt } = store.add(points);
        return { total, endsInMs: endsAt - store.now };
      },
    },
  });
  const take = async () => limiter.of('operation').takeOfKey(KEY);
  return {
    store,
    plan,
    limiter,
    take,
    /** @returns how many of so many requests, one after the other, are let through */
    pass: async (times: number) => {
      let passed = 0;
      for (let n = 0; n < times; n++) if ((await take())?.exceeded === false) passed += 1;
      return passed;
    },
    away: (is: boolean) => {
      isAway = is;
    },
  };
};

describe('leases', () => {
  test('requests that come together ask once more at most', async () => {
    const { store, take } = quick(1000);
    const taken = await Promise.all(Array.from({ length: 200 }, take));
    expect(taken.every((one) => one?.exceeded === false)).toBe(true);
    expect(store.counts).toHaveLength(2);
  });

  test('a key that calls rarely is counted once a minute, a busy one ever less often', async () => {
    const rare = quick(600);
    expect(await rare.pass(4)).toBe(4);
    expect(rare.store.counts).toEqual([4]);
    const busy = quick(600);
    expect(await busy.pass(400)).toBe(400);
    expect(busy.store.counts.length).toBeLessThan(30);
    expect(await busy.pass(400)).toBe(200);
    expect(busy.store.counts.length).toBeLessThan(100);
    const asked = busy.store.counts.length;
    await busy.pass(100);
    expect(busy.store.counts, 'a refusal asks nobody').toHaveLength(asked);
  });

  test('the next lease is asked for before the last place is taken, so that no request waits for it', async () => {
    const { limiter, pass } = quick(1200);
    await pass(12);
    await new Promise(setImmediate);
    let waited = 0;
    for (let n = 12; n < 600; n++) {
      const taken = limiter.of('operation').takeOfKey(KEY);
      if (taken instanceof Promise) waited += 1;
      expect(await taken).toMatchObject({ exceeded: false });
      await new Promise(setImmediate);
    }
    expect(waited).toBe(0);
    // Near the end nothing is taken ahead.
    expect(await pass(700)).toBe(600);
  });

  test('who was busy in the last minute begins with a larger one, for as long as that is so', async () => {
    const { store, pass } = quick(600);
    await pass(300);
    for (const [calls, first] of [
      [3, 60],
      [9, 4],
      [1, 9],
      [0, undefined],
    ] as const) {
      const before = store.counts.length;
      store.now += WINDOW_MS;
      await pass(calls);
      expect(store.counts[before]).toBe(first);
    }
    store.now += 2 * WINDOW_MS;
    await pass(1);
    expect(store.counts.at(-1)).toBe(4);
  });

  test('a lease whose answer was long on its way ends with its window all the same', async () => {
    const store = new Store();
    const process = new Process(store, 100);
    process.take();
    process.ask();
    store.now = 5_000;
    await process.answer(false);
    store.now = WINDOW_MS - 1;
    process.take();
    expect(process.waiting).toBe(0);
    store.now = WINDOW_MS + 1;
    process.take();
    expect(process.waiting).toBe(1);
  });

  test('the rest that is told covers what other processes took', async () => {
    const store = new Store();
    const [one, other] = [quick(100, store), quick(100, store)];
    expect(await one.take()).toEqual({ limit: 100, remaining: 99, resetSeconds: 60, exceeded: false });
    store.now = 20_000;
    // The places 1 to 4 are leased to the first process, 5 to 8 to the second.
    expect(await other.take()).toEqual({ limit: 100, remaining: 95, resetSeconds: 40, exceeded: false });
    store.now = WINDOW_MS;
    expect(await other.take()).toEqual({ limit: 100, remaining: 99, resetSeconds: 60, exceeded: false });
  });

  test('a plan that changes shows in the same minute, up and down', async () => {
    const { plan, pass, take } = quick(10);
    expect(await pass(20)).toBe(10);
    plan.limit = 30;
    expect(await pass(40)).toBe(20);
    plan.limit = 5;
    expect(await take()).toMatchObject({ limit: 5, remaining: 0, exceeded: true });
    plan.limit = null;
    expect(await take()).toBeUndefined();
  });
});

describe('a count that is away', () => {
  test('is gone on from alone, up to the limit, and shared again in the next window', async () => {
    const { store, away, pass } = quick(100);
    expect(await pass(50)).toBe(50);
    away(true);
    expect(await pass(100)).toBe(50);
    store.now += WINDOW_MS;
    expect(await pass(150)).toBe(100);
    away(false);
    const before = store.counts.length;
    expect(await pass(1)).toBe(0);
    store.now += WINDOW_MS;
    expect(await pass(150)).toBe(100);
    expect(store.counts.length).toBeGreaterThan(before);
  });
});

describe('without a shared count', () => {
  test('each key and operation has the limit, addresses a fixed one, and 0 limits nothing', async () => {
    const limiter = createRateLimiter({ planLimit: (planId) => (planId === 'big' ? 3 : 2) });
    const pass = async (keyId: string, planId: string | null, operation: string) => {
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => limiter.of(operation).takeOfKey({ keyId, planId })),
      );
      return taken.filter((one) => one?.exceeded === false).length;
    };
    expect(await pass('one', null, 'read')).toBe(2);
    expect(await pass('one', null, 'write')).toBe(2);
    expect(await pass('two', 'big', 'read')).toBe(3);
    expect(await limiter.of('read').takeOfAddress('192.0.2.1')).toMatchObject({ limit: 600, remaining: 599 });
    const fixed = createRateLimiter({ perMinute: 7, planLimit: () => null });
    expect(await fixed.of('read').takeOfKey(KEY)).toMatchObject({ limit: 7 });
    expect(await fixed.of('read').takeOfAddress('192.0.2.1')).toMatchObject({ limit: 7 });
    const none = createRateLimiter({ perMinute: 0, planLimit: () => 1 });
    expect([none.of('read').takeOfKey(KEY), none.of('read').takeOfAddress('192.0.2.1')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
