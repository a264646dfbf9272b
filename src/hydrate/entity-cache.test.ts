import { expect, test } from 'vitest';
import { EntityCache } from './entity-cache.js';

interface Thing {
  readonly text: string;
}

/** A source over a map whose loads wait until they are let go. */
const setUp = (options: { bytes?: number; renew?: (old: Thing, fresh: Thing) => Thing } = {}) => {
  const stored = new Map<string, Thing>([
    ['a', { text: 'a1' }],
    ['b', { text: 'b1' }],
  ]);
  const loads: string[][] = [];
  const weights = new Map<string, number>();
  let gate: Promise<void> | undefined;
  let trusted = true;
  const cache = new EntityCache<string, Thing>(
    {
      load: async (keys) => {
        loads.push([...keys]);
        const found = new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key) as Thing]] : [])));
        await gate;
        return found;
      },
      weigh: ({ text }) => weights.get(text) ?? 100,
      ...(options.renew ? { renew: options.renew } : {}),
    },
    options.bytes ?? 100_000,
    () => trusted,
  );
  const read = async (...keys: string[]): Promise<Record<string, string>> => {
    const into = new Map<string, Thing>();
    await cache.read(keys, into);
    return Object.fromEntries([...into].map(([key, thing]) => [key, thing.text]));
  };
  const hold = (): (() => void) => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = () => {
        gate = undefined;
        resolve();
      };
    });
    return open;
  };
  const trust = (value: boolean): void => {
    trusted = value;
  };
  return { cache, stored, loads, weights, read, hold, trust };
};

test('what was read once is at hand, absence included', async () => {
  const { cache, loads, read } = setUp();
  expect(await read('a', 'none', 'a')).toEqual({ a: 'a1' });
  expect(cache.read(['a', 'none'], new Map())).toBeUndefined();
  expect(await read('b', 'a')).toEqual({ a: 'a1', b: 'b1' });
  expect(loads).toEqual([['a', 'none'], ['b']]);
});

test('concurrent reads of one key share one load, each reading the rest on its own', async () => {
  const { loads, read, hold } = setUp();
  const open = hold();
  const reads = [read('a'), read('a', 'b'), read('b')];
  open();
  expect(await Promise.all(reads)).toEqual([{ a: 'a1' }, { a: 'a1', b: 'b1' }, { b: 'b1' }]);
  expect(loads).toEqual([['a'], ['b']]);
});

test('a load that began before a drop is not kept, and nobody who comes after the drop gets it', async () => {
  for (const drop of [(c: EntityCache<string, Thing>) => c.drop('a'), (c: EntityCache<string, Thing>) => c.dropAll()]) {
    const { cache, stored, loads, read, hold } = setUp();
    const open = hold();
    const early = read('a', 'b');
    stored.set('a', { text: 'a2' });
    drop(cache);
    const late = read('a');
    open();
    expect(await early).toEqual({ a: 'a1', b: 'b1' });
    expect(await late).toEqual({ a: 'a2' });
    expect(await read('a')).toEqual({ a: 'a2' });
    expect(loads.slice(0, 2)).toEqual([['a', 'b'], ['a']]);
  }
});

test('a dropped entity is read again, and may keep what still holds', async () => {
  const { cache, stored, read } = setUp({ renew: (old, fresh) => (old.text === fresh.text ? old : fresh) });
  await read('a');
  const into = new Map<string, Thing>();
  await cache.read(['a'], into);
  const first = into.get('a');
  stored.set('a', { text: 'a1' });
  cache.drop('a');
  const again = new Map<string, Thing>();
  await cache.read(['a'], again);
  expect(again.get('a')).toBe(first);
  stored.set('a', { text: 'a2' });
  cache.dropAll();
  expect(await read('a')).toEqual({ a: 'a2' });
});

test('an entity that came or went is seen after its drop', async () => {
  const { cache, stored, read } = setUp();
  expect(await read('a', 'c')).toEqual({ a: 'a1' });
  stored.set('c', { text: 'c1' });
  stored.delete('a');
  cache.drop('a');
  cache.drop('c');
  expect(await read('a', 'c')).toEqual({ c: 'c1' });
});

test('without trust nothing kept is used and nothing new is kept', async () => {
  const { stored, loads, read, hold, trust } = setUp();
  await read('a');
  stored.set('a', { text: 'a2' });
  trust(false);
  const open = hold();
  const reads = [read('a'), read('a')];
  open();
  expect(await Promise.all(reads)).toEqual([{ a: 'a2' }, { a: 'a2' }]);
  expect(loads).toHaveLength(3);
  trust(true);
  expect(await read('a')).toEqual({ a: 'a1' });
});

test('a failed load is told to all who wait for it, and the next read tries again', async () => {
  let fail = true;
  const cache = new EntityCache<string, Thing>(
    {
      load: async () => {
        if (fail) throw new Error('away');
        return new Map([['a', { text: 'a1' }]]);
      },
      weigh: () => 1,
    },
    1000,
    () => true,
  );
  const results = await Promise.allSettled([cache.read(['a'], new Map()), cache.read(['a'], new Map())]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  fail = false;
  const into = new Map<string, Thing>();
  await cache.read(['a'], into);
  expect(into.size).toBe(1);
});

test('bounded in bytes; with none, every read is a load', async () => {
  const small = setUp({ bytes: 350 });
  await small.read('a');
  await small.read('b');
  await small.read('a');
  expect(small.loads).toEqual([['a'], ['b'], ['a']]);
  const none = setUp({ bytes: 0 });
  await none.read('a', 'b');
  expect(await none.read('a', 'b')).toEqual({ a: 'a1', b: 'b1' });
  expect(none.loads).toHaveLength(2);
});

test('an entity that outgrows the whole cache is void for whoever holds on to it', async () => {
  const { cache, weights, loads, read } = setUp({ bytes: 1_000 });
  await read('a');
  const entry = cache.entry('a');
  expect(entry?.isCurrent()).toBe(true);
  weights.set('a1', 5_000);
  cache.reweigh('a');
  expect([entry?.isCurrent(), cache.entry('a')]).toEqual([false, undefined]);
  await read('a');
  expect(loads).toEqual([['a'], ['a']]);
});
