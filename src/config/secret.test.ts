import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MasterKey, SealError, Secret } from './secret.js';

describe('Secret', () => {
  it('is visible only through reveal', () => {
    const secret = new Secret('hunter2-hunter2');
    const shown = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
    ];
    for (const text of shown) expect(text).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2-hunter2');
  });
});

describe('MasterKey', () => {
  const hex = '00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210';
  const base64 = Buffer.from(hex, 'hex').toString('base64');

  it('reads hex and both base64 alphabets as the same key', () => {
    const derived = [
      hex,
      hex.toUpperCase(),
      base64,
      base64.replace('=', ''),
      Buffer.from(hex, 'hex').toString('base64url'),
    ].map((text) => MasterKey.parse(text)?.derive('cursor').toString('hex'));
    expect(new Set(derived).size).toBe(1);
    expect(derived[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(['', 'abc', hex.slice(1), `${hex}0`, `${base64}A`, 'correct horse battery staple'])('rejects %j', (text) => {
    expect(MasterKey.parse(text)).toBeUndefined();
  });

  it('reports typed keys as weak, but no random ones', () => {
    for (const text of ['0'.repeat(64), 'deadbeef'.repeat(8), '0123456789abcdef'.repeat(4)]) {
      expect(MasterKey.parse(text)?.weak).toBe(true);
    }
    for (let round = 0; round < 200; round++) expect(MasterKey.parse(MasterKey.generate())?.weak).toBe(false);
  });

  it('derives a different key for each purpose', () => {
    const key = new MasterKey(Buffer.from(hex, 'hex'));
    expect(key.derive('cursor').equals(key.derive('signer'))).toBe(false);
    expect(key.derive('cursor', 16)).toHaveLength(16);
  });

  it('opens what it sealed, for the same purpose and context only', () => {
    const key = new MasterKey(Buffer.from(hex, 'hex'));
    const sealed = key.seal('signer', Buffer.from('secret bytes'), 'row-1');
    expect(key.open('signer', sealed, 'row-1').toString()).toBe('secret bytes');
    expect(() => key.open('signer', sealed, 'row-2')).toThrow(SealError);
    expect(() => key.open('wallet', sealed, 'row-1')).toThrow(SealError);
    expect(() => new MasterKey(Buffer.alloc(32, 7)).open('signer', sealed, 'row-1')).toThrow(SealError);
    expect(() => key.open('signer', sealed.subarray(0, 20), 'row-1')).toThrow(SealError);
    for (let index = 0; index < sealed.length; index++) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
      expect(() => key.open('signer', altered, 'row-1')).toThrow(SealError);
    }
  });

  it('opens what the previous key sealed, and seals under its own', () => {
    const old = new MasterKey(Buffer.from(hex, 'hex'));
    const fresh = new MasterKey(Buffer.alloc(32, 7));
    const sealed = old.seal('signer', Buffer.from('secret bytes'), 'row-1');
    expect(() => fresh.open('signer', sealed, 'row-1')).toThrow(/CASTELLAN_MASTER_KEY_PREVIOUS/);
    const both = fresh.following(old);
    expect(both.open('signer', sealed, 'row-1').toString()).toBe('secret bytes');
    expect(() => both.open('signer', sealed, 'row-2')).toThrow(SealError);
    expect(fresh.open('signer', both.seal('signer', Buffer.from('x'))).toString()).toBe('x');
    expect(both.ids.map((id) => id.toString('hex'))).toEqual([fresh, old].map(({ id }) => id.toString('hex')));
    expect(both.deriveAll('cursor')).toEqual([fresh.derive('cursor'), old.derive('cursor')]);
  });

  it('seals the same value differently each time', () => {
    const key = new MasterKey(Buffer.from(hex, 'hex'));
    expect(key.seal('a', Buffer.from('x')).equals(key.seal('a', Buffer.from('x')))).toBe(false);
  });

  it('is not shown', () => {
    const key = new MasterKey(Buffer.from(hex, 'hex'));
    const shown = `${key} ${JSON.stringify({ key })} ${inspect({ key }, { showHidden: true, depth: 9 })}`;
    expect(shown).not.toContain(hex.slice(0, 8));
    expect(shown).not.toContain('00 11 22');
  });
});
