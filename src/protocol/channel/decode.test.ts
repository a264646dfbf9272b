import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channelData, channelRegistration, type RegisterInput, wireOf } from '../../../test/support/channel-message.js';
import { signBytes } from '../../../test/support/signed-message.js';
import { verifyWire } from '../verify/verify.js';
import { decodeChannelMessage, readChannelRegistration, readOwnerHint } from './decode.js';
import { channelIdOf } from './identity.js';

const ID = new Uint8Array(32).fill(9);
const HASH = new Uint8Array(20).fill(3);

const decode = (type: number, body: Uint8Array) => decodeChannelMessage(channelData(7, type, body));

describe('decodeChannelMessage', () => {
  it('reads an update, in which an absent text is cleared and an absent mode is the strictest', () => {
    const body = wireOf({ 1: ID, 2: 'Gardens', 3: 'Plants', 4: 'https://i.example/a', 5: 'h', 6: 'r', 7: 3, 8: 1 });
    expect(decode(18, body)).toEqual({
      kind: 'update',
      channelId: ID,
      metadata: {
        name: 'Gardens',
        description: 'Plants',
        imageUrl: 'https://i.example/a',
        header: 'h',
        rules: 'r',
        castingMode: 3,
        membershipMode: 1,
      },
    });
    const empty = { name: null, description: null, imageUrl: null, header: null, rules: null };
    const folded = { kind: 'update', channelId: ID, metadata: { ...empty, castingMode: 2, membershipMode: 2 } };
    expect(decode(18, wireOf({ 1: ID }))).toEqual(folded);
    expect(decode(18, wireOf({ 1: ID, 2: '', 7: 0, 8: 0 }))).toEqual(folded);
  });

  it('reads any texts and numbers that were written', () => {
    const text = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { nil: undefined });
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 2 }),
        (name, rules, cast, member) => {
          const { metadata } = decode(18, wireOf({ 1: ID, 2: name, 6: rules, 7: cast, 8: member })) as never as {
            metadata: object;
          };
          expect(metadata).toMatchObject({
            name: name ?? null,
            rules: rules ?? null,
            castingMode: cast,
            membershipMode: member,
          });
        },
      ),
    );
  });

  it('reads actions on members and casts, pins and their removal', () => {
    expect(decode(19, wireOf({ 1: ID, 2: 4_294_967_295, 3: 5 }))).toEqual({
      kind: 'member',
      channelId: ID,
      fid: 4_294_967_295,
      action: 5,
    });
    expect(decode(20, wireOf({ 1: ID, 2: HASH }))).toEqual({ kind: 'pin', channelId: ID, castHash: HASH });
    expect(decode(20, wireOf({ 1: ID }))).toEqual({ kind: 'pin', channelId: ID, castHash: undefined });
    const moderated = { kind: 'moderate', channelId: ID, castHash: HASH };
    expect(decode(21, wireOf({ 1: ID, 2: HASH, 3: 1 }))).toEqual({ ...moderated, isHidden: true });
    expect(decode(21, wireOf({ 1: ID, 2: HASH, 3: 2 }))).toEqual({ ...moderated, isHidden: false });
  });
});

describe('the rules of messages about channels', () => {
  const NOW = Date.UTC(2025, 5, 15, 12);
  const verify = (type: number, body: Uint8Array, isSubmission = false) => {
    const result = verifyWire(signBytes(channelData(7, type, body), { dataForm: 'data_bytes' }), {
      now: NOW,
      isSubmission,
    });
    return result.ok ? 'ok' : result.reason;
  };

  const valid: readonly (readonly [type: number, body: Uint8Array])[] = [
    [18, wireOf({ 1: ID })],
    [19, wireOf({ 1: ID, 2: 1, 3: 6 })],
    [20, wireOf({ 1: ID, 2: HASH })],
    [21, wireOf({ 1: ID, 2: HASH, 3: 2 })],
  ];

  it.each(valid)('kind %i is valid from a hub and refused when it is submitted', (type, body) => {
    expect(verify(type, body)).toBe('ok');
    expect(verify(type, body, true)).toBe('bad_type');
  });

  it.each([
    ['an id of 31 bytes', 18, wireOf({ 1: new Uint8Array(31) })],
    ['a casting mode of a later version', 18, wireOf({ 1: ID, 7: 4 })],
    ['a membership mode of a later version', 18, wireOf({ 1: ID, 8: 3 })],
    ['no member', 19, wireOf({ 1: ID, 3: 1 })],
    ['a member above 32 bits', 19, wireOf({ 1: ID, 2: 2 ** 32, 3: 1 })],
    ['no action on a member', 19, wireOf({ 1: ID, 2: 5 })],
    ['an unknown action on a member', 19, wireOf({ 1: ID, 2: 5, 3: 7 })],
    ['a pinned hash of 19 bytes', 20, wireOf({ 1: ID, 2: new Uint8Array(19) })],
    ['no cast', 21, wireOf({ 1: ID, 3: 1 })],
    ['no action on a cast', 21, wireOf({ 1: ID, 2: HASH })],
  ])('refuses %s', (_what, type, body) => {
    expect(verify(type, body)).toBe('bad_channel');
    expect(() => decode(type, body)).toThrow();
  });

  it('refuses another body, a name that is not UTF-8, and more than 2048 bytes', () => {
    const foreign = wireOf({ 1: 19, 2: 7, 3: 1, 4: 3, 21: wireOf({ 1: ID }) });
    expect(verifyWire(signBytes(foreign, { dataForm: 'data_bytes' }), { now: NOW })).toMatchObject({
      reason: 'wrong_body',
    });
    expect(verify(18, wireOf({ 1: ID, 2: Uint8Array.of(0xff) }))).toBe('parse_failure');
    expect(verify(18, wireOf({ 1: ID, 3: 'x'.repeat(2048) }))).toBe('too_large');
  });
});

describe('registrations', () => {
  it('are read from the bytes of the onchain event', () => {
    const owner = new Uint8Array(20).fill(5);
    const item = channelRegistration({ key: 'gardens', owner, expiry: 1_900_000_000, label: 'Gardens', block: 77 });
    const { wire } = item as { wire: Uint8Array };
    expect(readChannelRegistration(wire)).toEqual({
      id: expect.objectContaining({ length: 32 }),
      key: 'gardens',
      eventType: 1,
      ownerAddress: owner,
      expiry: 1_900_000_000,
      label: 'Gardens',
      blockNumber: 77,
      logIndex: 1,
      blockTimestamp: expect.any(Number),
    });
    expect(readChannelRegistration(wireOf({ 1: 6, 8: 0 }))).toBeUndefined();
    const read = (input: Partial<RegisterInput>) =>
      readChannelRegistration((channelRegistration({ key: 'gardens', owner, ...input }) as { wire: Uint8Array }).wire);
    expect(read({})).toMatchObject({ key: 'gardens', label: null });
    expect(read({ type: 3 })).toMatchObject({ key: null, eventType: 3, expiry: 0 });
    expect(Buffer.from(read({ type: 3 })?.id ?? [])).toEqual(Buffer.from(channelIdOf('gardens')));
    expect(read({ label: new Uint8Array(32) })).toBeUndefined();
    expect(readChannelRegistration(wireOf({ 1: 3, 16: wireOf({ 1: 'gardens' }) }))).toBeUndefined();
  });

  it('are hinted at by hubs', () => {
    const ownerAddress = new Uint8Array(20).fill(5);
    expect(readOwnerHint(wireOf({ 1: 'gardens', 2: ownerAddress, 3: 2 }))).toEqual({
      key: 'gardens',
      ownerAddress,
      cause: 2,
    });
  });
});
