import { beforeEach, expect, test } from 'vitest';
import { touchedLists } from '../store/change.js';
import { FactCache } from './fact-cache.js';
import type { Freshness } from './freshness.js';
import { TouchLog } from './touch-log.js';

const [OWN, OTHER] = [1, 2];
const asker = { key: 'a viewer', sources: new Set([OWN]) };

let isTrusted: boolean;
let freshness: Freshness;
let cache: FactCache<number, string>;
/** What was asked of the store. */
let asked: (readonly number[])[];
let state: string;
beforeEach(() => {
  isTrusted = true;
  freshness = { log: new TouchLog(), trusted: () => isTrusted } as Freshness;
  cache = new FactCache(freshness, 1_000_000);
  asked = [];
  state = 'old';
});
const touch = (...sources: number[]) => freshness.log.add(touchedLists(sources));
const load = async (keys: readonly number[]): Promise<Map<number, string>> => {
  asked.push(keys);
  return new Map(keys.map((key) => [key, state]));
};
const read = async (keys: readonly number[], from = load): Promise<(string | undefined)[]> => {
  const facts = await cache.read(asker, keys, from);
  return keys.map((key) => facts.get(key));
};

test('only what is not known is asked for', async () => {
  await read([1, 2]);
  touch(OTHER);
  expect(await read([2, 3, 1])).toEqual(['old', 'old', 'old']);
  expect(cache.read(asker, [1, 2, 3], load)).toBeInstanceOf(Map);
  expect(asked).toEqual([[1, 2], [3]]);
});

test('all that is known of an asker goes when one of the sources is touched', async () => {
  await read([1, 2]);
  state = 'new';
  touch(OWN);
  expect(await read([1])).toEqual(['new']);
  expect(await read([2])).toEqual(['new']);
  expect(asked).toEqual([[1, 2], [1], [2]]);
});

test('what was touched while it was read is not kept, nor what was known before', async () => {
  await read([1]);
  const late = await read([1, 2], async (keys) => {
    const found = await load(keys);
    state = 'new';
    touch(OWN);
    return found;
  });
  expect(late).toEqual(['old', 'old']);
  expect(await read([1, 2])).toEqual(['new', 'new']);
});

test('without trust, and without room, the store is asked each time', async () => {
  await read([1]);
  isTrusted = false;
  state = 'new';
  expect(await read([1])).toEqual(['new']);
  isTrusted = true;
  expect(await read([1])).toEqual(['old']);
  cache = new FactCache(freshness, 0);
  expect(await read([1])).toEqual(['new']);
  expect(await read([1])).toEqual(['new']);
  expect(asked).toHaveLength(4);
});

test('askers that learn page after page do not outgrow the bound', async () => {
  cache = new FactCache(freshness, 20_000);
  const readAll = async (key: string, keys: readonly number[]) => cache.read({ ...asker, key }, keys, load);
  for (let page = 0; page < 30; page++) {
    for (const key of ['first', 'second']) await readAll(key, [page * 10, page * 10 + 1, page * 10 + 2, page * 10 + 3]);
  }
  // 120 facts of 50 bytes each and 500 for the asker: both fit.
  asked = [];
  await readAll('first', [0]);
  await readAll('second', [0]);
  expect(asked).toEqual([]);
  for (let page = 30; page < 60; page++) {
    for (const key of ['first', 'second']) await readAll(key, [page * 10, page * 10 + 1, page * 10 + 2, page * 10 + 3]);
  }
  // 240 of both are 25,000 bytes: one of them had to go on the way.
  asked = [];
  for (const key of ['first', 'second']) await readAll(key, [0, 1, 2, 3]);
  expect(asked.length).toBeGreaterThan(0);
});
