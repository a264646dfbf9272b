import { readdirSync } from 'node:fs';
import Type, { type TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../schema/named.js';
import { invalidRequest } from './invalid-request.js';
import { createCheck } from './validation.js';

const folder = new URL('../../schema/', import.meta.url);
const shapes: [string, TSchema][] = [];
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/^[a-z0-9/-]+\.ts$/.test(file)) continue;
  for (const shape of Object.values(await import(`../../schema/${file.replace('.ts', '.js')}`))) {
    if (typeof shape !== 'object' || shape === null) continue;
    const name = nameOf(shape as TSchema);
    if (name !== undefined) shapes.push([name, shape as TSchema]);
  }
}

test('every shape can be validated', () => {
  expect(shapes.length).toBeGreaterThan(100);
  for (const [name, shape] of shapes) {
    expect(() => createCheck(shape)(undefined), name).not.toThrow();
  }
});

const problem = (schema: TSchema, data: unknown): { property?: string | undefined; message: string } | undefined => {
  const errors = createCheck(schema)(data);
  return errors && invalidRequest(errors, 'body');
};

describe('bodies', () => {
  const Body = Type.Object({
    fids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 3 }),
    quantity: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    network: Type.Optional(Type.Union([Type.Literal('base'), Type.Literal('optimism')])),
    embeds: Type.Optional(
      Type.Array(
        Type.Union([Type.Object({ url: Type.String({ format: 'uri' }) }), Type.Object({ id: Type.String() })]),
      ),
    ),
    either: Type.Optional(
      Type.Union([
        Type.Object({ url: Type.String() }, { additionalProperties: false }),
        Type.Object({ id: Type.Object({ fid: Type.Integer() }) }, { additionalProperties: false }),
      ]),
    ),
  });

  test.each([
    [null, 'body', 'the body must be an object'],
    [[], 'body', 'the body must be an object'],
    [{}, 'fids', 'fids is required'],
    [{ fids: [true] }, 'fids', 'fids[0] must be an integer'],
    [{ fids: ['1'] }, 'fids', 'fids[0] must be an integer'],
    [{ fids: [1.5] }, 'fids', 'fids[0] must be an integer'],
    [{ fids: [0] }, 'fids', 'fids[0] must be at least 1'],
    [{ fids: [2 ** 53] }, 'fids', 'fids[0] must be at most 9007199254740991'],
    [{ fids: [1e300] }, 'fids', 'fids[0] must be at most 9007199254740991'],
    [{ fids: [] }, 'fids', 'fids must be a list of at least 1'],
    [{ fids: [1, 2, 3, 4] }, 'fids', 'fids must be a list of at most 3'],
    [{ fids: 1 }, 'fids', 'fids must be an array'],
    [{ fids: [1], network: 'tron' }, 'network', 'network must be one of "base", "optimism"'],
    [{ fids: [1], embeds: [{ url: 'nowhere' }] }, 'embeds', 'embeds[0].url must be an absolute URI'],
    [{ fids: [1], embeds: [{}] }, 'embeds', 'embeds[0] must be one of {url}, {id}'],
    [{ fids: [1], either: {} }, 'either', 'either must be exactly one of {url}, {id}'],
    [{ fids: [1], either: { x: 1 } }, 'either', 'either must be exactly one of {url}, {id}'],
    [{ fids: [1], either: { url: 'a', id: { fid: 1 } } }, 'either', 'either must be exactly one of {url}, {id}'],
    [{ fids: [1], either: { url: 'a', more: 1 } }, 'either', 'either.more is not a member that is known here'],
    [{ fids: [1], either: { url: 1 } }, 'either', 'either.url must be a string'],
    [{ fids: [1], either: { id: {} } }, 'either', 'either.id.fid is required'],
    [{ fids: [1], either: 'x' }, 'either', 'either must be exactly one of {url}, {id}'],
    [JSON.parse('{"__proto__": {"fids": [1]}}'), 'fids', 'fids is required'],
  ])('%j', (body, property, message) => {
    expect(problem(Body, body)).toMatchObject({ property, message });
  });

  const Whom = Type.Object({
    to: Type.Union([
      Type.Object({ address: Type.String(), fid: Type.Optional(Type.Never()), amount: Type.Integer() }),
      Type.Object({ address: Type.Optional(Type.Never()), fid: Type.Integer({ minimum: 1 }), amount: Type.Integer() }),
    ]),
  });
  const Event = Type.Union([
    Type.Object({ domain: Type.String(), signed: Type.Union([Type.String(), Type.Object({ header: Type.String() })]) }),
    Type.Object({
      domain: Type.String(),
      event: Type.Union([Type.Literal('a'), Type.Literal('b')]),
      fid: Type.Integer(),
    }),
  ]);

  test.each<[TSchema, unknown, string, string]>([
    [Whom, { to: { address: 'a', fid: 1, amount: 1 } }, 'to', 'to must be exactly one of {address}, {fid}'],
    [Whom, { to: { address: null, fid: 1, amount: 1 } }, 'to', 'to must be exactly one of {address}, {fid}'],
    [Whom, { to: { amount: 1 } }, 'to', 'to must be exactly one of {address}, {fid}'],
    [Whom, { to: 7 }, 'to', 'to must be exactly one of {address}, {fid}'],
    [Whom, { to: { fid: 1 } }, 'to', 'to.amount is required'],
    [Whom, { to: { fid: 0, amount: 1 } }, 'to', 'to.fid must be at least 1'],
    [Whom, { to: { fid: 1, amount: 'x' } }, 'to', 'to.amount must be an integer'],
    [Whom, { to: { address: 1, amount: 1 } }, 'to', 'to.address must be a string'],
    [Event, {}, 'domain', 'domain is required'],
    [Event, { domain: 'x' }, 'body', 'the body must be one of {signed}, {event, fid}'],
    [Event, { domain: 'x', event: 'a' }, 'fid', 'fid is required'],
    [Event, { domain: 'x', fid: 1 }, 'event', 'event is required'],
    [Event, { domain: 'x', event: 'c', fid: 1 }, 'event', 'event must be one of "a", "b"'],
    [Event, { domain: 'x', event: 'a', fid: 'y' }, 'fid', 'fid must be an integer'],
    [Event, { domain: 'x', signed: 5 }, 'signed', 'signed must be a string or an object'],
    [Event, { domain: 'x', signed: {} }, 'signed', 'signed.header is required'],
    [Event, { signed: 'x' }, 'domain', 'domain is required'],
    [Event, { domain: 1, signed: 'x' }, 'domain', 'domain must be a string'],
    [Event, [], 'body', 'the body must be one of {signed}, {event, fid}'],
  ])('of alternatives the one that was meant is reported: %# %j', (schema, body, property, message) => {
    expect(problem(schema, body)).toMatchObject({ property, message });
  });

  test('defaults are filled in, nothing is converted', () => {
    const body = { fids: [1] };
    expect(problem(Body, body)).toBeUndefined();
    expect(body).toEqual({ fids: [1], quantity: 1 });
  });

  test('an unknown format or keyword is a mistake of ours', () => {
    expect(() => createCheck(Type.String({ format: 'no-such-format' }))('x')).toThrow('no-such-format');
    expect(() => createCheck(Type.Unsafe({ type: 'string', maxlength: 3 }))('x')).toThrow('maxlength');
  });
});
