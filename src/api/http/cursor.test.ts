import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { type CursorFilters, type CursorKey, decodeCursor, encodeCursor } from './cursor.js';

const generateKey = (): CursorKey => {
  const sign = randomBytes(32);
  return { sign, accept: [sign] };
};
const key = generateKey();
const list = {
  operationId: 'fetch-followers',
  sortKey: Type.Object({ ts: Type.Integer(), fid: Type.Integer() }),
};
const filters: CursorFilters = { fid: 3, viewer_fid: undefined, kinds: ['a', 'b'] };
const page = { firstPageTime: 1_700_000_000_123, sortKey: { ts: 99, fid: 12 } };
const cursor = encodeCursor(key, list, filters, page);
const refused = expect.objectContaining({ kind: 'invalid', code: 'InvalidField', property: 'cursor' });

test('a cursor comes back as it was, whatever order the filters are in', () => {
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(decodeCursor(key, list, { kinds: ['a', 'b'], fid: 3 }, cursor)).toEqual(page);
  expect(decodeCursor(key, list, filters, undefined)).toBeUndefined();
  expect(decodeCursor(key, list, filters, '')).toBeUndefined();
});

test('a cursor is refused for another operation, other filters, another sort key or another installation', () => {
  const other =
    (changes: object, asked: CursorFilters = filters, secret: CursorKey = key) =>
    () =>
      decodeCursor(secret, { ...list, ...changes }, asked, cursor);
  expect(other({ operationId: 'fetch-following' })).toThrow(refused);
  expect(other({ sortKey: Type.Object({ ts: Type.Integer() }) })).toThrow(refused);
  expect(other({}, { ...filters, fid: 4 })).toThrow(refused);
  expect(other({}, { ...filters, viewer_fid: 1 })).toThrow(refused);
  expect(other({}, { ...filters, kinds: ['b', 'a'] })).toThrow(refused);
  expect(other({}, filters, generateKey())).toThrow(refused);
});

test('a cursor stays valid after a key change while the old key is still accepted', () => {
  const fresh = generateKey();
  expect(decodeCursor({ sign: fresh.sign, accept: [fresh.sign, key.sign] }, list, filters, cursor)).toEqual(page);
  expect(() => decodeCursor(fresh, list, filters, cursor)).toThrow(refused);
});

test('any altered, added or missing character is refused', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .';
  await fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.nat(alphabet.length - 1), (at, letter) => {
      const altered = `${cursor.slice(0, at)}${alphabet[letter]}${cursor.slice(at + 1)}`;
      if (altered !== cursor) expect(() => decodeCursor(key, list, filters, altered)).toThrow(refused);
    }),
    { numRuns: 500 },
  );
  for (let length = 1; length < cursor.length; length += 1) {
    expect(() => decodeCursor(key, list, filters, cursor.slice(0, length))).toThrow(refused);
  }
  for (const extra of ['=', 'A', ' ', '\n']) {
    expect(() => decodeCursor(key, list, filters, cursor + extra)).toThrow(refused);
  }
});

test('noise is refused', async () => {
  await fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (noise) => {
      expect(() => decodeCursor(key, list, filters, noise)).toThrow(refused);
    }),
  );
});
