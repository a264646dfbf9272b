import { expect, test } from 'vitest';
import { difference } from './shape.js';

type Json = Record<string, unknown>;

const components: Record<string, Json> = {
  Base: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
  Tree: {
    type: 'object',
    properties: { leaves: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    required: ['leaves'],
  },
};
const tree: Json = {
  $defs: {
    Tree: {
      $id: 'Tree',
      type: 'object',
      required: ['leaves'],
      properties: { leaves: { type: 'array', items: { $ref: 'Tree' } } },
    },
  },
  $ref: 'Tree',
};

const differ = (want: Json, have: Json, added: (place: string) => boolean = () => false): string[] =>
  difference(
    want,
    have,
    {
      want: (ref) => components[ref.split('/').pop() ?? ''] ?? {},
      have: () => (tree.$defs as { Tree: Json }).Tree,
      same: () => false,
      added,
    },
    'Shape',
  );

test('the same values written differently are no difference', () => {
  const merged = {
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1 }, name: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    required: ['name', 'id'],
  };
  const parts = {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      { type: 'object', properties: { name: { type: ['string', 'null'] } }, required: ['name'] },
    ],
  };
  expect(differ(parts, merged)).toEqual([]);
  expect(differ({ type: 'string', enum: ['a', 'b'] }, { anyOf: [{ enum: ['b', 'a'] }] })).toEqual([]);
  expect(differ({ $ref: '#/components/schemas/Tree' }, tree)).toEqual([]);
});

test('a bound, a member, a requirement, a value, an alternative that differ are told with their place', () => {
  const want = { $ref: '#/components/schemas/Base' };
  const id = { type: 'integer', minimum: 1 };
  const object = (properties: Json, required: string[]) => ({ type: 'object', properties, required });
  expect(differ(want, object({ id: { ...id, minimum: 0 } }, ['id']))).toEqual([
    'Shape.id: minimum is 0, the contract says 1',
  ]);
  expect(differ(want, object({}, []))).toEqual(['Shape.id: missing', 'Shape.id: required by the contract only']);
  expect(differ(want, object({ id }, []))).toEqual(['Shape.id: required by the contract only']);
  expect(differ(want, object({ id, more: id }, ['id']))).toEqual(['Shape.more: added']);
  expect(differ(want, object({ id, more: id }, ['id']), (place) => place === 'Shape.more')).toEqual([]);
  expect(differ({ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] })).toHaveLength(1);
  expect(differ({ type: 'string' }, { type: ['string', 'null'] })).toEqual(['Shape: an alternative was added (null)']);
  expect(differ({ type: ['string', 'null'] }, { type: 'string' })).toHaveLength(1);
  expect(differ({ type: 'array', items: id }, { type: 'array' })).toEqual(['Shape[]: described on one side only']);
});
