import { beforeEach, expect, test } from 'vitest';
import { touchedLists } from '../store/change.js';
import type { Assembly } from './assembly.js';
import type { Basis } from './basis.js';
import type { Freshness } from './freshness.js';
import { type AnswerRequest, dueAt, ListCache, type LoadedPage, type PageRequest } from './list-cache.js';
import { TouchLog } from './touch-log.js';

const BYTES = 100_000;
const [OWN, OTHER, LATER] = [1, 2, 3];
const request = (change: Partial<PageRequest> = {}): PageRequest => ({
  key: ['list'],
  sources: [OWN],
  now: 1000,
  ...change,
});

let isTrusted: boolean;
let freshness: Freshness;
let lists: ListCache;
/** How often the store was asked; each answer is the number of its question. */
let asked: number;
beforeEach(() => {
  const log = new TouchLog();
  isTrusted = true;
  freshness = { log, trusted: () => isTrusted } as Freshness;
  lists = new ListCache(freshness, BYTES);
  asked = 0;
});
const touch = (...sources: number[]) => freshness.log.add(touchedLists(sources));
const loading =
  (loaded: Partial<LoadedPage<number>> = {}) =>
  async (): Promise<LoadedPage<number>> => ({
    page: ++asked,
    bytes: 100,
    ...loaded,
  });
/** A load that waits to be let through. */
const gated = () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const load = async (): Promise<LoadedPage<number>> => {
    const page = ++asked;
    await gate;
    return { page, bytes: 100 };
  };
  return { load, open };
};

test('a page is kept until one of its sources is touched', async () => {
  expect(await lists.read(request(), loading({ sources: [LATER] }))).toBe(1);
  touch(OTHER);
  expect(await lists.read(request(), loading())).toBe(1);
  expect(await lists.read(request({ key: ['list', 'of another'] }), loading())).toBe(2);
  touch(LATER);
  expect(await lists.read(request(), loading())).toBe(3);
  touch(OWN);
  expect(await lists.read(request(), loading())).toBe(4);
});

test('a page whose source was touched while it was read serves who asked before, and nobody after', async () => {
  const { load, open } = gated();
  const before = lists.read(request(), load);
  touch(OWN);
  const after = lists.read(request(), loading());
  expect(await after).toBe(2);
  open();
  expect(await before).toBe(1);
  // The later answer was kept first; the earlier one came after it and must not be taken for newer.
  expect(await lists.read(request(), loading())).toBe(3);
});

test('equal requests at once are one question', async () => {
  const { load, open } = gated();
  const both = [lists.read(request(), load), lists.read(request(), load)];
  open();
  expect(await Promise.all(both)).toEqual([1, 1]);
});

test('a failure is told to who asked and not kept', async () => {
  await expect(lists.read(request(), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await lists.read(request(), loading())).toBe(1);
});

test('while changes may have been missed nothing kept is used, nor anything kept', async () => {
  await lists.read(request(), loading());
  isTrusted = false;
  expect(await lists.read(request(), loading())).toBe(2);
  isTrusted = true;
  expect(await lists.read(request(), loading())).toBe(1);
});

test('a page ends when the next stored entry is due, and holds for no earlier time than its own', async () => {
  const until = dueAt(0) as number;
  expect(await lists.read(request({ now: until - 5 }), loading({ until }))).toBe(1);
  expect(await lists.read(request({ now: until - 1 }), loading())).toBe(1);
  expect(await lists.read(request({ now: until - 6 }), loading({ until }))).toBe(2);
  expect(await lists.read(request({ now: until }), loading())).toBe(3);
});

test('the bytes are bounded, and none are used when there are none', async () => {
  for (let n = 0; n < 1000; n++) await lists.read(request({ key: [n] }), loading());
  expect(await lists.read(request({ key: [999] }), loading())).toBe(1000);
  expect(await lists.read(request({ key: [0] }), loading())).toBe(1001);
  const none = new ListCache(freshness, 0);
  expect(await none.read(request(), loading())).toBe(1002);
  expect(await none.read(request(), loading())).toBe(1003);
});

/** Writes the page's number and how often anything was written; notes what it is made from besides. */
const writing = (...sources: number[]) => {
  let written = 0;
  return async (page: number, basis: Basis | undefined): Promise<Buffer> => {
    basis?.noteAll(sources);
    return Buffer.from(`${page}.${++written}`);
  };
};
const answers = async (count: number, asking: AnswerRequest, write: ReturnType<typeof writing>): Promise<string[]> => {
  const texts: string[] = [];
  for (let n = 0; n < count; n++) texts.push((await lists.answer(asking, loading(), write)).toString());
  return texts;
};
const neutral = { ...request(), dialect: 'neutral' as const };

test('the answer of a page that is asked for again is kept until anything in it is touched', async () => {
  const write = writing(LATER);
  expect(await answers(4, neutral, write)).toEqual(['1.1', '1.2', '1.2', '1.2']);
  touch(OTHER);
  expect(await answers(1, neutral, write)).toEqual(['1.2']);
  touch(LATER);
  expect(await answers(3, neutral, write)).toEqual(['1.3', '1.3', '1.3']);
  touch(OWN);
  expect(await answers(3, neutral, write)).toEqual(['2.4', '2.5', '2.5']);
});

test('each dialect has an answer of its own', async () => {
  const write = writing();
  const ecosystem = { ...neutral, dialect: 'ecosystem' as const };
  expect(await answers(2, neutral, write)).toEqual(['1.1', '1.2']);
  expect(await answers(2, ecosystem, write)).toEqual(['1.3', '1.3']);
  expect(await answers(1, neutral, write)).toEqual(['1.2']);
});

test('an answer that was touched while it was written serves who asked, and nobody after', async () => {
  let isTouching = true;
  const write = writing(LATER);
  const touched: typeof write = async (page, basis) => {
    const bytes = await write(page, basis);
    if (isTouching) touch(LATER);
    return bytes;
  };
  expect(await answers(3, neutral, touched)).toEqual(['1.1', '1.2', '1.3']);
  isTouching = false;
  expect(await answers(2, neutral, touched)).toEqual(['1.4', '1.4']);
});

test('an answer ends when something that it shows does', async () => {
  const write = writing();
  const ending: typeof write = (page, basis) => {
    basis?.notePage({ accounts: new Map(), whole: new Map([['cast', { until: 1500 } as Assembly]]) });
    return write(page, basis);
  };
  expect(await answers(2, neutral, ending)).toEqual(['1.1', '1.2']);
  expect(await answers(1, { ...neutral, now: 1499 }, ending)).toEqual(['1.2']);
  expect(await answers(1, { ...neutral, now: 1500 }, ending)).toEqual(['1.3']);
});

test('answers are copies, count among the bytes, and are written each time where none are kept', async () => {
  const page = Buffer.alloc(BYTES / 4);
  const write = async (): Promise<Buffer> => page;
  for (let n = 0; n < 20; n++) {
    const asking = { ...neutral, key: [n] };
    expect((await lists.answer(asking, loading(), write)) === page).toBe(true);
    expect((await lists.answer(asking, loading(), write)) === page).toBe(true);
    expect((await lists.answer(asking, loading(), write)) === page).toBe(false);
  }
  // No more than three of them fit: the last page is there, the first one is gone and is read anew.
  expect((await lists.answer({ ...neutral, key: [19] }, loading(), write)) === page).toBe(false);
  const before = asked;
  await lists.answer({ ...neutral, key: [0] }, loading(), write);
  expect(asked).toBe(before + 1);
  const none = new ListCache(freshness, 0);
  for (let n = 0; n < 3; n++) expect((await none.answer(neutral, loading(), write)) === page).toBe(true);
  isTrusted = false;
  expect((await lists.answer({ ...neutral, key: [19] }, loading(), write)) === page).toBe(true);
});
