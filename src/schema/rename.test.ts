import Type from 'typebox';
import { expect, test } from 'vitest';
import { differs, inDialect, plainName } from './dialect.js';
import { named, nameOf } from './named.js';
import { renamer } from './rename.js';

const Network = Type.Enum(['SOCIAL_NETWORK_MAINNET', 'SOCIAL_NETWORK_DEVNET'], {
  type: 'string',
  default: 'SOCIAL_NETWORK_MAINNET',
});
const Scored = named('TestScored', Type.Object({ text: Type.String(), service_user_score: Type.Number() }));
const Plain = named('TestPlain', Type.Object({ text: Type.String() }));

test('members, what must be there, constants and defaults are renamed where a shape declares them', () => {
  const shape = Type.Object({ of: Type.Optional(Scored), network: Network, plain: Plain });
  const other = inDialect(shape, 'ecosystem') as unknown as { properties: Record<string, Record<string, unknown>> };
  const { of: scored, network, plain } = other.properties;
  expect(Object.keys(scored?.properties as object)).toEqual(['text', 'neynar_user_score']);
  expect(scored?.required).toEqual(['text', 'neynar_user_score']);
  expect(network).toMatchObject({
    enum: ['FARCASTER_NETWORK_MAINNET', 'FARCASTER_NETWORK_DEVNET'],
    default: 'FARCASTER_NETWORK_MAINNET',
  });
  // A shape without differences stays the same object, so it is compiled once.
  expect(plain).toBe(Plain);
  expect(inDialect(shape, 'neutral')).toBe(shape);
});

test('a shape with a name has one translation, under a name of its own', () => {
  const one = inDialect(Type.Object({ a: Scored }), 'ecosystem').properties.a;
  const two = inDialect(Type.Object({ b: Type.Optional(Scored) }), 'ecosystem').properties.b;
  expect(one).toBe(two);
  expect(nameOf(one)).toBe('TestScored.ecosystem');
  expect(plainName('TestScored.ecosystem')).toBe('TestScored');
  expect([differs(Scored), differs(Plain)]).toEqual([true, false]);
});

test('values are renamed by their shape alone: texts and members that it does not declare stay', () => {
  const shape = Type.Object({ list: Type.Array(Scored), network: Network, note: Type.String() });
  const value = {
    note: 'SOCIAL_NETWORK_MAINNET',
    list: [{ text: 'service_user_score', service_user_score: 0.5, extra: { service_user_score: 1 } }],
    network: 'SOCIAL_NETWORK_DEVNET',
  };
  const turned = {
    note: 'SOCIAL_NETWORK_MAINNET',
    list: [{ text: 'service_user_score', neynar_user_score: 0.5, extra: { service_user_score: 1 } }],
    network: 'FARCASTER_NETWORK_DEVNET',
  };
  expect(renamer(shape, 'ecosystem')?.(value)).toEqual(turned);
  expect(renamer(shape, 'neutral')?.(turned)).toEqual(value);
  expect(renamer(Plain, 'ecosystem')).toBeUndefined();
  const record = Type.Record(Type.String(), Scored);
  const scored = { service_user_score: { text: '', service_user_score: 1 } };
  expect(renamer(record, 'ecosystem')?.(scored)).toEqual({ service_user_score: { text: '', neynar_user_score: 1 } });
  expect(JSON.stringify(inDialect(record, 'ecosystem'))).not.toContain('service_user_score');
});

test('a member sent under the target name of a rename is dropped', () => {
  const turn = renamer(Scored, 'neutral');
  // Validation rejects such requests earlier; without it, the member must not replace the renamed one.
  expect(turn?.({ text: 'a', neynar_user_score: 1, service_user_score: 'unchecked' })).toEqual({
    text: 'a',
    service_user_score: 1,
  });
  expect(turn?.({ text: 'a', service_user_score: 'unchecked' })).toEqual({ text: 'a' });
});

test('members are renamed in unions, records and recursive shapes, too', () => {
  const Tree = named(
    'TestTree',
    Type.Cyclic(
      {
        TestTree: Type.Object({
          score: Type.Union([Scored, Type.Null()]),
          by_key: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: Scored })),
          branches: Type.Array(Type.Ref('TestTree')),
        }),
      },
      'TestTree',
    ),
  );
  const leaf = (name: string) => ({
    score: { text: name, [name]: 1 },
    by_key: { [name]: { text: name, [name]: 2 } },
    branches: [],
  });
  const tree = (name: string) => ({ score: null, by_key: {}, branches: [leaf(name), leaf(name)] });
  const turned = renamer(Tree, 'ecosystem')?.(tree('service_user_score')) as ReturnType<typeof tree>;
  expect(turned.branches[0]?.score).toEqual({ text: 'service_user_score', neynar_user_score: 1 });
  // A key that is not a declared member stays unchanged.
  expect(turned.branches[1]?.by_key).toEqual({
    service_user_score: { text: 'service_user_score', neynar_user_score: 2 },
  });
  const other = inDialect(Tree, 'ecosystem');
  expect(nameOf(other)).toBe('TestTree.ecosystem');
  expect(JSON.stringify(other)).not.toContain('"service_user_score"');
});
