import Type from 'typebox';
import { expect, test } from 'vitest';
import type { Caller } from '../../access/caller.js';
import type { Dialect } from '../../schema/wire-names.js';
import { createTagger } from './conditional-read.js';
import { encodeCursor } from './cursor.js';

const LIST = { operationId: 'test-list', sortKey: Type.Object({ name: Type.String() }) };
const PAGED = { query: Type.Object({ cursor: Type.Optional(Type.String()) }) };

const keyOf = (byte: number) => ({ sign: Buffer.alloc(32, byte), accept: [Buffer.alloc(32, byte)] });

const cursorOf = (firstPageTime: number, name: string): string =>
  encodeCursor(keyOf(1), LIST, {}, { firstPageTime, sortKey: { name } });

const tagOf = (body: string, { key = 1, operation = PAGED as Parameters<typeof createTagger>[0] } = {}): string => {
  const tag = createTagger(operation, { dialect: 'neutral' satisfies Dialect, cursorKey: keyOf(key) });
  const caller = { appId: 'app' } as Caller;
  return tag(Buffer.from(body), { caller, query: {} }).entityTag;
};

const bodies: Readonly<Record<string, (cursor: string, text?: string) => string>> = {
  'as the first member': (cursor, text = '') => `{"next":{"cursor":"${cursor}"},"users":["${text}"]}`,
  'as the first member within a result': (cursor, text = '') =>
    `{"result":{"next":{"cursor":"${cursor}"},"users":["${text}"]}}`,
  'as the last member': (cursor, text = '') => `{"casts":["${text}"],"next":{"cursor":"${cursor}"}}`,
  'as the last member within a result': (cursor, text = '') =>
    `{"result":{"casts":["${text}"],"next":{"cursor":"${cursor}"}}}`,
};

test.each(Object.entries(bodies))('a cursor %s counts without its time', (_, bodyOf) => {
  const tag = tagOf(bodyOf(cursorOf(1, 'a')));
  expect(tag).toMatch(/^W\/"[\da-f]{16}"$/);
  expect(tagOf(bodyOf(cursorOf(2 ** 47, 'a')))).toBe(tag);
  expect(tagOf(bodyOf(cursorOf(1, 'b')))).not.toBe(tag);
  expect(tagOf(bodyOf(cursorOf(1, 'a'), 'more'))).not.toBe(tag);
  const long = 'x'.repeat(100_000);
  expect(tagOf(bodyOf(cursorOf(1, 'a'), long))).toBe(tagOf(bodyOf(cursorOf(2, 'a'), long)));
});

test('what looks like a cursor elsewhere counts in full', () => {
  const [one, other] = [cursorOf(1, 'a'), cursorOf(2, 'a')];
  const embed = (cursor: string): string =>
    `{"casts":[{"data":{"next":{"cursor":"${cursor}"}},"text":""}],"next":{"cursor":null}}`;
  expect(tagOf(embed(one))).not.toBe(tagOf(embed(other)));
  const entity = (cursor: string): string => `{"cast":{"data":{"next":{"cursor":"${cursor}"}}}}`;
  const operation = { query: Type.Object({}) };
  expect(tagOf(entity(one), { operation })).not.toBe(tagOf(entity(other), { operation }));
});

test('a new master key changes the tag, because clients must not keep cursors of the old one', () => {
  const body = (bodies['as the last member'] as (cursor: string) => string)(cursorOf(1, 'a'));
  expect(tagOf(body, { key: 2 })).not.toBe(tagOf(body, { key: 1 }));
});
