import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsOf } from './json-list.js';

const read = (json: string): unknown[] => {
  const bytes = Buffer.from(json);
  return [...itemsOf(bytes, 'channels')].map(([start, end]) => JSON.parse(bytes.toString('utf8', start, end)));
};

test('the items of any list are those that JSON.parse finds, whatever is around them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 1, '\t'),
      (channels, more, space) => {
        const json = JSON.stringify(
          { before: more, result: { ...more, channels }, after: { channels: [more] } },
          null,
          space,
        );
        expect(read(json)).toEqual((JSON.parse(json) as { result: { channels: unknown[] } }).result.channels);
      },
    ),
  );
});

test('quotes, brackets and commas inside of strings are no JSON', () => {
  const channels = ['"', '\\', '\\"],', '],[{', '"channels": [', 'ø,\u{1f331}', { 'a"]': ['\\\\'] }];
  expect(read(JSON.stringify({ result: { channels } }))).toEqual(channels);
});

test.each([
  ['', 'nothing'],
  ['[]', 'a list'],
  ['<html>', 'a page'],
  ['{"result": {"channels": {}}}', 'an object instead of the list'],
  ['{"result": {"channels": null}}', 'null instead of the list'],
  ['{"result": {"channels": [{"id": "a"}', 'half a list'],
  ['{"result": {"channels": [{"id": "a"}]', 'a list that is not followed by the end'],
  ['{"result": {"channels": [{"id": "a]}}', 'half a string'],
  ['{"result": {"channels": [1}]}', 'brackets that do not match'],
  ['{"result": {"channels": [1,]}}', 'an item that is missing'],
])('%s is rejected: %s', (json) => {
  expect(() => read(json)).toThrow();
});
