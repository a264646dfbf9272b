import { describe, expect, test } from 'vitest';
import { bareHex } from '../../hex.js';
import { channelIdOf, channelIdOfUrl, channelUrl } from './identity.js';
import { type OwnerClaim, winningOwner } from './owner.js';

const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';

describe('identity', () => {
  test('an id is the Keccak-256 hash of the key', () => {
    // The hash of "hello", as every description of Keccak-256 has it.
    expect(bareHex(channelIdOf('hello'))).toBe('1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8');
  });

  test('a URL has exactly one spelling', () => {
    const id = channelIdOf('hello');
    const url = channelUrl(REGISTRAR, id);
    expect(url).toBe(`${REGISTRAR}/12910348618308260923200348219926901280687058984330794534952861439530514639560`);
    expect(channelIdOfUrl(REGISTRAR, url)?.equals(id)).toBe(true);
    for (const other of [
      url.toLowerCase(),
      `${url}/`,
      ` ${url}`,
      `${REGISTRAR}/0${url.slice(REGISTRAR.length + 1)}`,
      `${REGISTRAR}/${2n ** 256n}`,
      `${REGISTRAR}/0x1`,
      `${REGISTRAR}/`,
      url.replace('31337', '1'),
    ])
      expect(channelIdOfUrl(REGISTRAR, other)).toBeUndefined();
    expect(channelIdOfUrl(REGISTRAR, `${REGISTRAR}/7`)).toEqual(Buffer.from('7'.padStart(64, '0'), 'hex'));
  });
});

describe('owner', () => {
  const claim = (fid: number, ts: number, byte: number): OwnerClaim => ({
    fid,
    ts,
    hash: new Uint8Array(20).fill(byte),
  });

  test('the latest verification wins, then the higher hash, then the lower fid', () => {
    const of = (...claims: OwnerClaim[]) => {
      const owners = [winningOwner(claims), winningOwner(claims.toReversed())];
      expect(owners[0]).toBe(owners[1]);
      return owners[0];
    };
    expect(of()).toBeUndefined();
    expect(of(claim(1, 10, 1), claim(2, 11, 0))).toBe(2);
    expect(of(claim(1, 10, 1), claim(2, 10, 2))).toBe(2);
    expect(of(claim(4, 10, 2), claim(3, 10, 2))).toBe(3);
  });
});
