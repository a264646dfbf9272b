import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../error.js';
import { decodePageToken, encodePageToken } from './page-token.js';

const position = fc.record({
  timestamp: fc.integer({ min: 0, max: 0xffff_ffff }),
  hash: fc.uint8Array({ minLength: 20, maxLength: 20 }),
});

describe('page token', () => {
  it('is base64 of a big-endian timestamp and a hash', () => {
    const hash = Uint8Array.from({ length: 20 }, (_, i) => i);
    expect(encodePageToken({ timestamp: 0x01020304, hash })).toBe('AQIDBAABAgMEBQYHCAkKCwwNDg8QERIT');
  });

  it('comes back as it went', () => {
    fc.assert(
      fc.property(position, (p) => {
        expect(decodePageToken(encodePageToken(p))).toEqual(p);
      }),
    );
  });

  it('reads the empty token as the first page', () => {
    expect(decodePageToken('')).toBeUndefined();
  });

  it('reads a space as a plus, as a query without percent-encoding makes one', () => {
    expect(decodePageToken(`${'A'.repeat(31)} `)).toEqual(decodePageToken(`${'A'.repeat(31)}+`));
  });

  it.each([
    ['a missing byte', Buffer.alloc(23).toString('base64')],
    ['a byte too many', Buffer.alloc(25).toString('base64')],
    ['the url-safe alphabet', '-_-_'.repeat(8)],
    ['padding', `${'A'.repeat(31)}=`],
    ['a line end', `${'A'.repeat(32)}\n`],
    ['other words', 'next'],
  ])('rejects %s', (_what, token) => {
    const refusal = (() => {
      try {
        return decodePageToken(token);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ kind: 'invalid', property: 'pageToken' });
  });
});
