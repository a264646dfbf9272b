import { MessageData, MessageType, UserDataType } from '@farcaster/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/rounds.js';
import {
  bodyData,
  castData,
  mainnetWires,
  NOW,
  NOW_SECONDS,
  sign,
  signBytes,
} from '../../../test/support/signed-message.js';
import { LATEST_TIME } from '../time.js';
import { hubErrorCode, INVALID_REASONS } from '../verification-result.js';
import { decodeMessage } from '../wire/decode.js';
import { decodeEnvelope } from '../wire/envelope.js';
import { type VerifyOptions, verifyWire } from './verify.js';

const verify = (wire: Uint8Array, options: Partial<VerifyOptions> = {}) => verifyWire(wire, { now: NOW, ...options });

/** @returns 'ok' or the reason, which tables of cases compare at a glance */
const reasonOf = (wire: Uint8Array, options: Partial<VerifyOptions> = {}): string => {
  const result = verify(wire, options);
  if (!result.ok) expect(result.detail).not.toBe('');
  return result.ok ? 'ok' : result.reason;
};

const hash = new Uint8Array(20).fill(1);
const castId = { fid: 5, hash };
const cast = (changes: Partial<NonNullable<MessageData['castAddBody']>>, timestamp = NOW_SECONDS): Uint8Array => {
  const castAddBody = { ...(castData().castAddBody as NonNullable<MessageData['castAddBody']>), ...changes };
  return sign(castData({ castAddBody, timestamp }));
};
const body = (type: MessageType, changes: Partial<MessageData>): Uint8Array => sign(bodyData(type, changes));
const userData = (type: number, value: string): Uint8Array =>
  body(MessageType.USER_DATA_ADD, { userDataBody: { type, value } });
const url = (length: number) => ({ url: 'u'.repeat(length), castId: undefined });

describe('the envelope', () => {
  it('is checked member by member', () => {
    const data = MessageData.encode(castData()).finish();
    expect(reasonOf(sign(castData()))).toBe('ok');
    expect(reasonOf(sign(castData(), { dataForm: 'data_bytes' }))).toBe('ok');
    expect(reasonOf(sign(castData(), { hashScheme: 2 }))).toBe('unsupported_hash_scheme');
    expect(reasonOf(sign(castData(), { hash }))).toBe('bad_hash');
    expect(reasonOf(sign(castData(), { hash: new Uint8Array(0) }))).toBe('bad_hash');
    expect(reasonOf(sign(castData(), { signatureScheme: 2 }))).toBe('unsupported_signature_scheme');
    expect(reasonOf(sign(castData(), { signer: new Uint8Array(20) }))).toBe('bad_signer');
    expect(reasonOf(sign(castData(), { signer: new Uint8Array(32) }))).toBe('bad_signature');
    expect(reasonOf(sign(castData(), { signature: new Uint8Array(63) }))).toBe('bad_signature');
    expect(reasonOf(sign(castData(), { signature: new Uint8Array(64) }))).toBe('bad_signature');
    expect(reasonOf(signBytes(data.subarray(0, -1)))).toBe('parse_failure');
    expect(reasonOf(new Uint8Array(200_000))).toBe('too_large');
    expect(reasonOf(signBytes(new Uint8Array(65_537)))).toBe('too_large');
  });

  it('needs a fid, a known network and a time that has come', () => {
    expect(reasonOf(sign(castData({ fid: 0 })))).toBe('bad_fid');
    expect(reasonOf(sign(castData({ network: 0 })))).toBe('bad_network');
    expect(reasonOf(sign(castData({ network: 4 as never })))).toBe('bad_network');
    expect(reasonOf(sign(castData({ timestamp: NOW_SECONDS + 600 })))).toBe('ok');
    expect(reasonOf(sign(castData({ timestamp: NOW_SECONDS + 601 })))).toBe('future_timestamp');
    expect(reasonOf(sign(castData({ timestamp: NOW_SECONDS + 601 })), { futureTimestamps: 'accept' })).toBe('ok');
    expect(reasonOf(sign(castData({ timestamp: LATEST_TIME + 1 })), { futureTimestamps: 'accept' })).toBe(
      'future_timestamp',
    );
    expect(reasonOf(sign(castData({ timestamp: 0 })))).toBe('ok');
    expect(verify(sign(castData({ timestamp: NOW_SECONDS + 3600 })))).toMatchObject({
      detail: 'timestamp is 3600 s ahead, at most 600 are allowed',
    });
  });

  it('accepts other networks everywhere but on mainnet', () => {
    expect(reasonOf(sign(castData({ network: 3 })), { network: 1 })).toBe('bad_network');
    expect(verify(sign(castData({ network: 3 })), { network: 1 })).toMatchObject({
      detail:
        'the message is for network 3 (devnet), this service takes network 1 (mainnet): CASTELLAN_HUB_NETWORK names it',
    });
    expect(reasonOf(sign(castData({ network: 1 })), { network: 1 })).toBe('ok');
    expect(reasonOf(sign(castData({ network: 1 })), { network: 3 })).toBe('ok');
    expect(reasonOf(sign(castData({ network: 2 })))).toBe('ok');
  });

  it('is all that is checked for an unknown type', () => {
    for (const type of [9, 10, 22, 1000]) {
      const head = MessageData.encode({ ...castData(), castAddBody: undefined, type }).finish();
      const newer = Buffer.concat([head, Buffer.from('c20203aabbcc', 'hex'), Buffer.from('e80701', 'hex')]);
      expect(reasonOf(signBytes(newer))).toBe('ok');
      expect(reasonOf(signBytes(newer, { hash }))).toBe('bad_hash');
      expect(decodeMessage(decodeEnvelope(signBytes(newer))).type).toBe(type);
    }
  });

  it('needs a type, and of a known kind the one body that belongs to it', () => {
    expect(reasonOf(body(MessageType.NONE, {}))).toBe('bad_type');
    expect(reasonOf(body(MessageType.CAST_ADD, {}))).toBe('wrong_body');
    expect(reasonOf(sign(castData({ type: MessageType.CAST_REMOVE })))).toBe('wrong_body');
    expect(reasonOf(sign(castData({ castRemoveBody: { targetHash: hash } })))).toBe('wrong_body');
    const twice = Buffer.concat([MessageData.encode(castData()).finish(), Buffer.from('2a00', 'hex')]);
    expect(reasonOf(signBytes(twice))).toBe('parse_failure');
  });
});

describe('verifyWire', () => {
  it('accepts every real message of the public network, with either backend', () => {
    for (const wire of mainnetWires()) {
      expect(verify(wire, { network: 1 })).toEqual({ ok: true });
    }
    for (const wire of mainnetWires().slice(0, 50)) {
      expect(verify(wire, { backend: 'node:crypto' })).toEqual({ ok: true });
    }
  });

  const samples = [
    sign(castData()),
    sign(castData(), { dataForm: 'data_bytes' }),
    cast({ mentions: [2, 300], mentionsPositions: [0, 2], embeds: [url(9)], parentCastId: castId }),
    userData(UserDataType.USERNAME, 'alice'),
    body(MessageType.LINK_ADD, { linkBody: { type: 'follow', targetFid: 7 } }),
  ];

  it('rejects a message with any changed byte, unless it means the same', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.integer({ min: 1, max: 255 }), (sample, at, change) => {
        const wire = Uint8Array.from(sample);
        wire[at % wire.length] = (wire[at % wire.length] as number) ^ change;
        if (!verify(wire).ok) return;
        const { dataForm: _form, ...changed } = decodeEnvelope(wire);
        const { dataForm: _sampleForm, ...original } = decodeEnvelope(sample);
        expect(changed).toEqual(original);
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('rejects a message with bytes removed or inserted, unless it means the same', () => {
    const piece = fc.uint8Array({ maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat({ max: 12 }), piece, (sample, at, cut, added) => {
        const start = at % (sample.length + 1);
        const wire = Uint8Array.from(Buffer.concat([sample.subarray(0, start), added, sample.subarray(start + cut)]));
        const result = verify(wire);
        if (!result.ok) {
          expect(result.reason).not.toBe('internal');
          return;
        }
        const { dataForm: _form, ...changed } = decodeEnvelope(wire);
        const { dataForm: _sampleForm, ...original } = decodeEnvelope(sample);
        expect(changed).toEqual(original);
      }),
      { numRuns: rounds(2000) },
    );
  });

  it('calls garbage by its name and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (wire) => {
        expect(['parse_failure', 'unsupported_hash_scheme', 'bad_hash']).toContain(reasonOf(wire));
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('never passes signed garbage that cannot be decoded, and never fails at it', () => {
    const fields = fc.array(
      fc.record({ field: fc.integer({ min: 1, max: 25 }), value: fc.uint8Array({ maxLength: 40 }) }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 22 }), fields, (type, extra) => {
        const head = MessageData.encode({ ...castData(), castAddBody: undefined, type }).finish();
        const tails = extra.map(({ field, value }) => [
          Buffer.from(field < 16 ? [(field << 3) | 2] : [((field << 3) & 0x7f) | 2 | 0x80, field >> 4]),
          Buffer.from([value.length]),
          value,
        ]);
        const wire = signBytes(Buffer.concat([head, ...tails.flat()]));
        const reason = reasonOf(wire);
        expect(reason).not.toBe('internal');
        if (reason === 'ok') expect(decodeMessage(decodeEnvelope(wire)).fid).toBe(1234);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('hubErrorCode', () => {
  it('has a hub code for every reason', () => {
    for (const reason of INVALID_REASONS) expect(hubErrorCode(reason)).toMatch(/^(bad_request\.[a-z_]+|unknown)$/);
    expect(hubErrorCode('parse_failure')).toBe('bad_request.parse_failure');
    expect(hubErrorCode('bad_signature')).toBe('bad_request.validation_failure');
    expect(hubErrorCode('bad_url')).toBe('bad_request.invalid_param');
  });
});
