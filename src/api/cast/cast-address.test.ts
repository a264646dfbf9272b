import { expect, test } from 'vitest';
import { readCastAddress } from './cast-address.js';

const hash = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['https://example.org/alice/0x01234567', { username: 'alice', prefix: '01234567' }],
  [
    'https://example.org/alice.eth/0x0123456789ABCDEF/?utm=x#top',
    { username: 'alice.eth', prefix: '0123456789abcdef' },
  ],
  ['https://example.org/!12/01234567', { username: '!12', prefix: '01234567' }],
  [`https://example.org/~/conversations/0x${hash.toUpperCase()}`, { hash }],
  [`http://example.org/~/conversations/${hash}/`, { hash }],
  ['https://example.org/alice/0x0123456', undefined],
  ['https://example.org/alice', undefined],
  ['https://example.org/~/channel/dev', undefined],
  ['https://example.org/%ff/0x01234567', undefined],
  ['https://example.org/%00/0x01234567', undefined],
  ['ftp://example.org/alice/0x01234567', undefined],
  ['alice/0x01234567', undefined],
])('%s', (address, expected) => {
  expect(readCastAddress(address)).toEqual(expected);
});
