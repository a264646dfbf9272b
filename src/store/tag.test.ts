import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as tag from './tag.js';

const accountKinds = [
  tag.feedOf,
  tag.reactionsOf,
  tag.followsOf,
  tag.followersOf,
  tag.repliesAndReactionsTo,
  tag.relationsOf,
  tag.seenMarksOf,
  tag.signersOf,
  tag.profileOf,
  tag.countersOf,
];
const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('tags of different kinds or different accounts are never equal', () => {
  fc.assert(
    fc.property(
      fc.nat(2 ** 48),
      fc.nat(2 ** 48),
      hash,
      fc.uuid(),
      fc.string(),
      (fid, other, bytes, appId, username) => {
        const fids = [...new Set([fid, other])];
        const hex = hexOf(bytes);
        const tags = [
          ...fids.flatMap((one) => accountKinds.map((of) => of(one))),
          tag.bansOf(appId),
          tag.castOf(hex),
          tag.castCountsOf(hex),
          tag.nameOf(username),
          tag.PLACES,
        ];
        expect(new Set(tags).size).toBe(tags.length);
        expect(tags.every(Number.isSafeInteger)).toBe(true);
      },
    ),
  );
});

test('the bytes and the hex digits of a hash give the same tag', () => {
  fc.assert(
    fc.property(hash, (bytes) => {
      expect(tag.castOfBytes(bytes)).toBe(tag.castOf(hexOf(bytes)));
      expect(tag.castCountsOfBytes(bytes)).toBe(tag.castCountsOf(hexOf(bytes)));
      // A part of a larger buffer, as the driver hands out.
      const part = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3);
      expect(tag.castOfBytes(part)).toBe(tag.castOf(hexOf(bytes)));
    }),
  );
});

test('names that differ a little have tags of their own', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `user-${index}.eth`);
  expect(new Set(names.map(tag.nameOf)).size).toBe(names.length);
});
