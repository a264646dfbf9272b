import { beforeEach, expect, test } from 'vitest';
import { type Param, type Reader, type Statement, statement } from '../db/statement.js';
import { ALREADY_EXPIRED, Cache } from './cache.js';
import type { Entry, Loaded } from './entry.js';
import { type EntityKind, ReadContext, type ReadSource } from './read-context.js';
import { TagClock } from './tag-clock.js';

const NOW = 5_000;

const tagged = statement<{ tag: number }>('tagged', '', ([tag], rows) => [
  tag as number,
  ...rows.map((row) => row.tag),
]);
const untagged = statement<{ tag: number }>('untagged', '');
const sometimes = statement('sometimes', '', ([tag]) => (tag === null ? undefined : [tag as number]));

let clock: TagClock;
let source: ReadSource;
/** Statements sent and entities loaded. */
let sent: string[];
beforeEach(() => {
  clock = new TagClock(2 ** 10);
  sent = [];
  // Statements return one row with their second parameter, if they have one.
  const db: Reader = {
    read: async <Row>({ name }: Statement<Row>, params: readonly Param[]) => {
      sent.push(name);
      return (params[1] === undefined ? [] : [{ tag: params[1] }]) as Row[];
    },
  };
  const view = { dialect: 'neutral', report: () => undefined } as const;
  source = { db, view, entities: new Cache(clock, () => true, 1_000_000) };
});

const open = (now = NOW): ReadContext => new ReadContext(source, now);
const tagsOf = (read: ReadContext): number[] => [...read.entry(null).tags].sort((a, b) => a - b);

/** Ids below 100 are stored; each entity depends on its own tag and on those that `loaded` returns. */
const kindOf = (loaded: (id: number) => Partial<Loaded<string>> = () => ({})): EntityKind<number, string> => ({
  keyOf: (id) => id,
  tagsOf: (id) => [id],
  load: async (ids) => {
    sent.push(`load ${ids.join()}`);
    return new Map(ids.filter((id) => id < 100).map((id) => [id, { value: `value ${id}`, ...loaded(id) }]));
  },
});

test('a response gets the tags of the requested parameters and of the rows found', async () => {
  const read = open();
  expect(await read.read(tagged, [1])).toEqual([]);
  await read.read(tagged, [2, 3]);
  await read.read(sometimes, [4]);
  await read.read(tagged, [5, 6]);
  expect(read.entry('answer')).toMatchObject({
    value: 'answer',
    tags: Float64Array.of(1, 2, 3, 4, 5, 6),
    from: NOW,
    until: Number.POSITIVE_INFINITY,
    validAt: clock.now(),
  });
});

test('tags of entities are there whether one was found or not, loaded or cached', async () => {
  const kind = kindOf((id) => ({ tags: [1_000 + id] }));
  const first = open();
  expect(await first.get(kind, [1, 2, 100, 2])).toEqual(
    new Map([
      [1, 'value 1'],
      [2, 'value 2'],
    ]),
  );
  expect(tagsOf(first)).toEqual([1, 2, 100, 1_001, 1_002]);
  expect(sent).toEqual(['load 1,2,100']);
  const second = open();
  expect(await second.get(kind, [2, 100, 3])).toEqual(
    new Map([
      [2, 'value 2'],
      [3, 'value 3'],
    ]),
  );
  expect(tagsOf(second)).toEqual([2, 3, 100, 1_002, 1_003]);
  expect(sent).toEqual(['load 1,2,100', 'load 3']);
});

test('a missing entity of a kind with isAbsenceUncacheable is not cached, nor is a response built on it', async () => {
  const kind = { ...kindOf(), isAbsenceUncacheable: true } as const;
  const read = open();
  await read.get(kind, [1]);
  expect(read.entry(null).until).toBe(Number.POSITIVE_INFINITY);
  await read.get(kind, [100]);
  expect(read.entry(null).until).toBe(ALREADY_EXPIRED);
  await open().get(kind, [1, 100]);
  expect(sent).toEqual(['load 1', 'load 100', 'load 100']);
});

test('a statement without tags makes the answer uncacheable, but not the entities that it was read for', async () => {
  const plain = open();
  await plain.read(untagged, []);
  expect(plain.entry(null).until).toBe(ALREADY_EXPIRED);
  const undefinedTags = open();
  await undefinedTags.read(sometimes, [null]);
  expect(undefinedTags.entry(null).until).toBe(ALREADY_EXPIRED);

  const kind: EntityKind<number, string> = {
    ...kindOf(),
    load: async (ids, read) => {
      await read.read(untagged, []);
      return new Map(ids.map((id) => [id, { value: 'v' }]));
    },
  };
  const answer = open();
  await answer.get(kind, [1]);
  expect(answer.entry(null).until).toBe(Number.POSITIVE_INFINITY);
  expect(tagsOf(answer)).toEqual([1]);
});

test('an answer takes over the tags and the end of its lists, and of the lists in them', async () => {
  const kind = kindOf();
  const read = open();
  const load = async (inner: ReadContext) => {
    await inner.read(tagged, [40, 41]);
    await inner.get(kind, [42, 142]);
    inner.endsAt(9_000);
    return inner.list(['inner'], async (innermost) => {
      await innermost.read(tagged, [43]);
      innermost.endsAt(8_000);
      return ['a', 'b'];
    });
  };
  expect(await read.list(['outer', 1], load)).toEqual(['a', 'b']);
  expect(tagsOf(read)).toEqual([40, 41, 42, 43, 142]);
  expect(read.entry(null).until).toBe(8_000);

  sent.length = 0;
  const again = open();
  expect(await again.list(['outer', 1], load)).toEqual(['a', 'b']);
  expect(sent).toEqual([]);
  expect(tagsOf(again)).toEqual([40, 41, 42, 43, 142]);
  expect(again.entry(null).until).toBe(8_000);
  await open().list(['outer', 2], load);
  expect(sent).toEqual(['tagged']);
  clock.invalidate([41]);
  await open().list(['outer', 1], load);
  expect(sent).toEqual(['tagged', 'tagged']);
});

test('a list that a statement without tags was read for is read each time, and its answer is not cached', async () => {
  const load = (inner: ReadContext) => inner.list(['deeper'], (deepest) => deepest.read(untagged, [0, 7]));
  for (let n = 1; n <= 2; n++) {
    const read = open();
    expect(await read.list(['list'], load)).toEqual([{ tag: 7 }]);
    expect(read.entry(null).until).toBe(ALREADY_EXPIRED);
    expect(sent).toHaveLength(n);
  }
  // Shared loads must not be cached either.
  const reads = [open(), open()];
  await Promise.all(reads.map((read) => read.list(['list'], load)));
  expect(reads.map((read) => read.entry(null).until)).toEqual([ALREADY_EXPIRED, ALREADY_EXPIRED]);
});

test('a cached response expires when the first of its parts expires', async () => {
  const ends = kindOf((id) => ({ until: id === 1 ? 7_000 : undefined }));
  const read = open();
  read.endsAt(null);
  read.endsAt(undefined);
  expect(read.entry(null).until).toBe(Number.POSITIVE_INFINITY);
  read.endsAt(8_000);
  read.endsAt(9_000);
  expect(read.entry(null).until).toBe(8_000);
  await read.get(ends, [2]);
  expect(read.entry(null).until).toBe(8_000);
  await read.get(ends, [1]);
  expect(read.entry(null).until).toBe(7_000);
});

test('an entity that ends is loaded again after its end', async () => {
  const ends = kindOf(() => ({ until: 7_000 }));
  await open(6_000).get(ends, [1]);
  await open(6_999).get(ends, [1]);
  expect(sent).toEqual(['load 1']);
  await open(7_000).get(ends, [1]);
  expect(sent).toEqual(['load 1', 'load 1']);
});

test('what is invalidated after the context was opened makes the answer invalid, whenever its parts were read', async () => {
  const kind = kindOf();
  const answers = new Cache(clock, () => true, 1_000_000);
  const isCached = async (work: (read: ReadContext) => Promise<unknown>): Promise<boolean> => {
    const read = open();
    await work(read);
    const entry: Entry = read.entry('answer');
    answers.set('answer', entry);
    return answers.get('answer', NOW) === entry;
  };
  const change = (tag: number): void => clock.invalidate([tag]);
  change(1);
  expect(await isCached((read) => read.get(kind, [1]))).toBe(true);
  expect(
    await isCached(async (read) => {
      await read.get(kind, [1]);
      change(1);
    }),
  ).toBe(false);
  expect(
    await isCached(async (read) => {
      change(1);
      await read.get(kind, [1]);
    }),
  ).toBe(false);
  expect(
    await isCached(async (read) => {
      await read.get(kind, [1]);
      change(2);
    }),
  ).toBe(true);
});

test('an entity that is invalidated during its load is not cached', async () => {
  const changing: EntityKind<number, string> = {
    ...kindOf(),
    load: async (ids) => {
      sent.push('load');
      clock.invalidate([1]);
      return new Map(ids.map((id) => [id, { value: 'old' }]));
    },
  };
  expect(await open().get(changing, [1])).toEqual(new Map([[1, 'old']]));
  expect(await open().get(kindOf(), [1])).toEqual(new Map([[1, 'value 1']]));
});
