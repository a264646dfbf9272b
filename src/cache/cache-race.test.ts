import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cache, type CacheKey } from './cache.js';
import type { Entry } from './entry.js';
import { TagClock } from './tag-clock.js';

/** Each key depends on its own tag and on one tag that all keys share. */
const KEYS = [0, 1, 2, 3];
const SHARED = 100;

const keys = fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), keys }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('select' as const), load: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('finish' as const), load: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), load: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), key: fc.constantFrom(...KEYS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('writeAll' as const), everything: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trust' as const), isFresh: fc.boolean() }) },
);

/** Long histories: most races need several loads at the same time. */
const history = fc.array(step, { maxLength: 60, size: 'max' });

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A load in progress: it starts, then the database responds (`seen`), then the caller gets the result. */
interface Load {
  readonly keys: readonly CacheKey[];
  readonly began: number;
  seen: Map<CacheKey, number> | undefined;
  resolve(entries: ReadonlyMap<CacheKey, Entry>): void;
  reject(error: Error): void;
}

/**
 * The model is a version for each key. A write increments it before it invalidates the key's tag, so a read must never
 * return less than the version that was current when it began.
 */
class CacheModel {
  readonly clock = new TagClock(2 ** 10);
  isFresh = true;
  readonly cache: Cache;
  readonly version = new Map<CacheKey, number>(KEYS.map((key) => [key, 0]));
  loads: Load[] = [];
  readonly reads: Promise<void>[] = [];
  fromCache = 0;

  constructor(bytes: number) {
    this.cache = new Cache(this.clock, () => this.isFresh, bytes);
  }

  readonly #load = (asked: readonly CacheKey[]): Promise<ReadonlyMap<CacheKey, Entry>> =>
    new Promise((resolve, reject) => {
      this.loads.push({ keys: asked, began: this.clock.now(), seen: undefined, resolve, reject });
    });

  async #read(wanted: readonly number[]): Promise<void> {
    const least = new Map(this.version);
    const found = new Map<CacheKey, unknown>();
    const missing = wanted.filter((key) => {
      const entry = this.cache.get(key, 0);
      if (entry === undefined) return true;
      this.fromCache++;
      found.set(key, entry.value);
      return false;
    });
    if (missing.length > 0) {
      try {
        for (const [key, { value }] of await this.cache.load(missing, 0, this.#load)) found.set(key, value);
      } catch {
        return;
      }
    }
    for (const key of wanted) expect(found.get(key)).toBeGreaterThanOrEqual(least.get(key) as number);
  }

  #select(load: Load): void {
    load.seen ??= new Map(load.keys.map((key) => [key, this.version.get(key) as number]));
  }

  finish(load: Load): void {
    this.loads = this.loads.filter((one) => one !== load);
    this.#select(load);
    const entryOf = (key: CacheKey): Entry => ({
      value: load.seen?.get(key),
      tags: Float64Array.of(key as number, SHARED),
      from: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
      validAt: load.began,
      usedAt: 0,
    });
    load.resolve(new Map(load.keys.map((key) => [key, entryOf(key)])));
  }

  #write(written: readonly number[], invalidate: () => void): void {
    for (const key of written) this.version.set(key, (this.version.get(key) as number) + 1);
    invalidate();
  }

  take(one: Step): void {
    if (one.kind === 'read') {
      const reading = this.#read(one.keys);
      // It is awaited at the end; until then a failed expectation must not count as an unhandled rejection.
      reading.catch(() => undefined);
      this.reads.push(reading);
    } else if (one.kind === 'write') {
      this.#write([one.key], () => this.clock.invalidate([one.key]));
    } else if (one.kind === 'writeAll') {
      this.#write(KEYS, () => (one.everything ? this.clock.invalidateAll() : this.clock.invalidate([SHARED])));
    } else if (one.kind === 'trust') {
      this.isFresh = one.isFresh;
    } else {
      const load = this.loads[one.load % Math.max(1, this.loads.length)];
      if (load === undefined) return;
      if (one.kind === 'select') this.#select(load);
      if (one.kind === 'finish') this.finish(load);
      if (one.kind === 'fail') {
        this.loads = this.loads.filter((other) => other !== load);
        load.reject(new Error('away'));
      }
    }
  }
}

test('a read returns nothing that was loaded before a change that happened before the read began', async () => {
  let fromCache = 0;
  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom(0, 1_200, 100_000), async (steps, bytes) => {
      const world = new CacheModel(bytes);
      for (const one of steps) {
        world.take(one);
        await turn();
      }
      while (world.loads.length > 0) {
        world.finish(world.loads[0] as Load);
        await turn();
      }
      await Promise.all(world.reads);
      fromCache += world.fromCache;
    }),
    { numRuns: 1_000 },
  );
  // Guards against a test that passes because nothing was cached.
  expect(fromCache).toBeGreaterThan(1_000);
}, 60_000);
