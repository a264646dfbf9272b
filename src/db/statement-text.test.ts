import { expect, test } from 'vitest';
import { parseStatementText } from './statement-text.js';

test('named parameters are numbered in the order in which they first occur', () => {
  expect(parseStatementText('select :b::text, :a, :b where c = any(:d?::bigint[])')).toMatchObject({
    text: 'select $1::text, $2, $1 where c = any($3::bigint[])',
    params: ['b', 'a', 'd'],
    nullableParams: new Set(['d']),
  });
});

test('they begin after the parameters of a bulk statement', () => {
  const text = 'insert into t select * from unnest($1::bigint[], $2::text[]) where :now > now()';
  expect(parseStatementText(text, 3)).toMatchObject({ text: text.replace(':now', '$3'), params: ['now'] });
});

test('casts, slices and strings are no parameters', () => {
  const text = "select a::text, b[1:2], c[i:j], 'at :noon', 'it''s :late', x ? 'y' from t";
  expect(parseStatementText(text)).toMatchObject({ text, params: undefined });
});

test('marks of columns are not sent', () => {
  const { text, nullableColumns } = parseStatementText(
    'select count(*) as "count!", a.name as "name?", b as "c" from a',
  );
  expect(text).toBe('select count(*) as "count", a.name as "name", b as "c" from a');
  expect(nullableColumns).toEqual(
    new Map([
      ['count', false],
      ['name', true],
    ]),
  );
});

test('a text with named and numbered parameters is an error', () => {
  expect(() => parseStatementText('select :a, $2')).toThrow('named and numbered parameters');
});
