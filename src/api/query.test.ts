import Type, { type TObject } from 'typebox';
import { expect, test } from 'vitest';
import { commaSeparated } from './http/comma-separated.js';
import { invalidRequest } from './http/invalid-request.js';
import { createCheck } from './http/validation.js';
import { createReader } from './query.js';

const Query = Type.Object({
  fid: Type.Optional(Type.Integer({ minimum: 1, format: 'uint64' })),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  reverse: Type.Optional(Type.Boolean({ default: false })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  name: Type.Optional(Type.String({ minLength: 1 })),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  kind: Type.Optional(Type.Union([Type.Integer(), Type.Literal('PFP')])),
  fids: Type.Optional(commaSeparated(Type.Integer({ minimum: 1 }), { maxItems: 3 })),
  types: Type.Optional(commaSeparated(Type.Enum(['likes', 'recasts']), { repeatable: true })),
});

const parse = (text: string, schema: TObject = Query): unknown => {
  const raw: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    raw[name] = name in raw ? [raw[name] as string | string[], value].flat() : value;
  }
  const value = createReader(schema)(raw);
  const errors = createCheck(schema)(value);
  if (errors) throw invalidRequest(errors, 'query');
  return value;
};
const defaults = { reverse: false, limit: 25 };

test.each([
  ['', {}],
  ['fid=7', { fid: 7 }],
  ['fid=9007199254740991', { fid: 9007199254740991 }],
  ['latitude=-0.5', { latitude: -0.5 }],
  ['latitude=1e1', { latitude: 10 }],
  ['reverse=true', { reverse: true }],
  ['reverse=1', { reverse: true }],
  ['reverse=0', { reverse: false }],
  ['name=12', { name: '12' }],
  ['since=2024-02-29T12:00:00Z', { since: '2024-02-29T12:00:00Z' }],
  ['kind=3', { kind: 3 }],
  ['kind=PFP', { kind: 'PFP' }],
  ['fids=3,2,2', { fids: [3, 2, 2] }],
  ['fids= 3, 2 ,\t1', { fids: [3, 2, 1] }],
  ['types=likes, recasts', { types: ['likes', 'recasts'] }],
  ['types=%20likes&types=recasts%20', { types: ['likes', 'recasts'] }],
  ['types=likes,recasts', { types: ['likes', 'recasts'] }],
  ['types=likes&types=recasts', { types: ['likes', 'recasts'] }],
  ['unknown=1&__proto__=x&constructor=y', {}],
])('%s is read as %j', (text, expected) => {
  expect(parse(text)).toEqual({ ...defaults, ...expected });
});

test.each([
  ['fid=', 'fid', 'fid must be an integer'],
  ['fid=abc', 'fid', 'fid must be an integer'],
  ['fid=0x10', 'fid', 'fid must be an integer'],
  ['fid=1e3', 'fid', 'fid must be an integer'],
  ['fid= 1', 'fid', 'fid must be an integer'],
  ['fid=1.0', 'fid', 'fid must be an integer'],
  ['fid=NaN', 'fid', 'fid must be an integer'],
  ['fid=0', 'fid', 'fid must be at least 1'],
  ['fid=-1', 'fid', 'fid must be at least 1'],
  ['fid=9007199254740993', 'fid', 'fid must be at most 9007199254740991'],
  ['fid=99999999999999999999999', 'fid', 'fid must be an integer'],
  ['fid=1&fid=2', 'fid', 'fid must be given once'],
  ['latitude=Infinity', 'latitude', 'latitude must be a number'],
  ['latitude=1e999', 'latitude', 'latitude must be a number'],
  ['latitude=91', 'latitude', 'latitude must be at most 90'],
  ['reverse=yes', 'reverse', 'reverse must be a boolean'],
  ['limit=101', 'limit', 'limit must be at most 100'],
  ['name=', 'name', 'name must be at least 1 characters long'],
  ['name=a%00b', 'name', 'name must be text without the character NUL'],
  ['since=yesterday', 'since', 'since must be a date and time like 2024-02-29T12:00:00Z'],
  ['fids=', 'fids', 'fids must be a list of at least 1'],
  ['fids=%20', 'fids', 'fids must be a list of at least 1'],
  ['fids=1, ,2', 'fids', 'fids[1] must be an integer'],
  ['fids=1 2', 'fids', 'fids[0] must be an integer'],
  ['fids=1,,2', 'fids', 'fids[1] must be an integer'],
  ['fids=1,x', 'fids', 'fids[1] must be an integer'],
  ['fids=1,2,3,4', 'fids', 'fids must be a list of at most 3'],
  ['fids=1&fids=2', 'fids', 'fids must be given once, as a list with commas'],
  ['types=likes,other', 'types', 'types[1] must be one of "likes", "recasts"'],
])('%s is refused', (text, property, message) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ kind: 'invalid', property, message }));
});

test('a list that nobody marked is a mistake of ours', () => {
  expect(() => createReader(Type.Object({ fids: Type.Array(Type.Integer()) }))).toThrow('fids needs commaSeparated()');
});

test('a member that has another name in the other dialect is refused under that one, and told the right one', () => {
  const read = createReader(Type.Object({ service_user_score: Type.Optional(Type.Number()) }));
  expect(() => read({ neynar_user_score: '1' })).toThrow('neynar_user_score is called service_user_score at this path');
  expect(read({ service_user_score: '1', nobodys: '2' })).toEqual({ service_user_score: 1 });
  expect(createReader(Type.Object({ fid: Type.Integer() }))({ fid: '1', neynar_user_score: '1' })).toEqual({ fid: 1 });
});
