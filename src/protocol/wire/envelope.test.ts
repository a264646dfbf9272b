import { Message, MessageData, type MessageType } from '@farcaster/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { castData, mainnetWires, sign, signBytes } from '../../../test/support/signed-message.js';
import { AppError } from '../../error.js';
import { decodeMessage, messageTypeName } from './decode.js';
import { decodeEnvelope, encodeEnvelope, envelopeFromMessage } from './envelope.js';

const concat = (...parts: (Uint8Array | number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));

/** A length-delimited protobuf field below number 16 with up to 127 bytes. */
const field = (number: number, bytes: Uint8Array): Uint8Array => concat([(number << 3) | 2, bytes.length], bytes);

const parseFailure = (wire: Uint8Array): AppError => {
  try {
    decodeEnvelope(wire);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('expected an AppError');
};

describe('decodeEnvelope', () => {
  it('keeps the data bytes of either member and the member they came in', () => {
    for (const dataForm of ['data', 'data_bytes'] as const) {
      const wire = sign(castData(), { dataForm });
      const envelope = decodeEnvelope(wire);
      expect(envelope.dataForm).toBe(dataForm);
      expect(Buffer.from(envelope.dataBytes)).toEqual(Buffer.from(MessageData.encode(castData()).finish()));
      expect(Buffer.from(encodeEnvelope(envelope))).toEqual(Buffer.from(wire));
    }
  });

  it('reads what the package writes and writes what the package reads', () => {
    const wire = sign(castData());
    const message = Message.decode(wire);
    expect(Buffer.from(Message.encode(message).finish())).toEqual(Buffer.from(wire));
    expect(Buffer.from(encodeEnvelope(envelopeFromMessage(message)))).toEqual(Buffer.from(wire));
  });

  it('prefers data_bytes if both members are present, as hubs do', () => {
    const inner = MessageData.encode(castData()).finish();
    const other = MessageData.encode(castData({ fid: 5 })).finish();
    const wire = concat(field(1, other), sign(castData(), { dataForm: 'data_bytes' }));
    expect(Buffer.from(decodeEnvelope(wire).dataBytes)).toEqual(Buffer.from(inner));
    expect(decodeEnvelope(wire).dataForm).toBe('data_bytes');
    expect(decodeMessage(decodeEnvelope(wire)).fid).toBe(1234);
    expect(envelopeFromMessage(Message.decode(wire)).dataForm).toBe('data_bytes');
  });

  it('passes over members that newer software may add', () => {
    const wire = concat(sign(castData()), field(9, new Uint8Array(3)), [0x50, 0x01]);
    expect(decodeMessage(decodeEnvelope(wire)).fid).toBe(1234);
  });

  it('holds every real message as it is', () => {
    for (const wire of mainnetWires()) {
      const envelope = decodeEnvelope(wire);
      expect(Buffer.from(encodeEnvelope(envelope))).toEqual(Buffer.from(wire));
      expect(decodeMessage(envelope).data).toEqual(MessageData.decode(envelope.dataBytes));
    }
  });

  it.each([
    ['nothing', new Uint8Array(0), /no data/],
    ['a message without data', field(2, new Uint8Array(20)), /no data/],
    ['a member set twice', concat(sign(castData()), field(2, new Uint8Array(20))), /set twice/],
    ['a member of the wrong wire type', concat([0x08, 0x01]), /wire type 0, expected 2/],
    ['a group', concat([0x4b, 0x4c]), /wire type 3/],
    ['a tag of zero', concat(sign(castData()), [0x00]), /number 0/],
    ['a number longer than ten bytes', concat([0x18], new Array(11).fill(0x80)), /longer than 10|larger than 64/],
    ['a length beyond the end', concat([0x0a, 0x7f, 0x01]), /cut short/],
    ['an enumeration beyond 32 bits', concat([0x18, 0xff, 0xff, 0xff, 0xff, 0x7f]), /larger than/],
  ])('rejects %s with a parse failure', (_name, wire, detail) => {
    const error = parseFailure(wire);
    expect(error).toMatchObject({ kind: 'invalid', hubCode: 'bad_request.parse_failure' });
    expect(error.message).toMatch(detail);
  });

  it('rejects every truncation', () => {
    const wire = sign(castData());
    for (let length = 0; length < wire.length; length++) {
      const cut = wire.subarray(0, length);
      // A cut between two members leaves a shorter message, which lacks its last members.
      const isWhole = (() => {
        try {
          return Buffer.compare(encodeEnvelope(decodeEnvelope(cut)), cut) === 0;
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return false;
        }
      })();
      if (isWhole) expect(decodeEnvelope(cut).signer.length).toBe(0);
    }
  });

  it('throws nothing but parse failures', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (wire) => {
        try {
          decodeEnvelope(wire);
        } catch (error) {
          expect(error).toMatchObject({ hubCode: 'bad_request.parse_failure' });
        }
      }),
    );
  });
});

describe('decodeMessage', () => {
  it('gives the package its known kinds', () => {
    const message = decodeMessage(decodeEnvelope(sign(castData())));
    expect(message).toMatchObject({ type: 1, fid: 1234, timestamp: castData().timestamp });
    expect(message.data.castAddBody?.text).toBe('gm');
  });

  it.each([9, 18, 19, 20, 21, 25, 4_000_000_000])(
    'keeps the head of kind %i and leaves its body in the bytes',
    (type) => {
      const head = MessageData.encode({ ...castData(), castAddBody: undefined, type: type as MessageType }).finish();
      // Field 22 (channel_member_body) with a body that nobody here decodes.
      const dataBytes = concat(head, [0xb2, 0x01, 0x02, 0x10, 0x07]);
      const message = decodeMessage(decodeEnvelope(signBytes(dataBytes)));
      expect(message).toMatchObject({ type, fid: 1234, timestamp: castData().timestamp, data: { type, network: 1 } });
      expect(Buffer.from(message.envelope.dataBytes)).toEqual(Buffer.from(dataBytes));
    },
  );

  it('rejects data that are not MessageData', () => {
    const envelope = decodeEnvelope(signBytes(new Uint8Array([0x0a, 0xff])));
    expect(() => decodeMessage(envelope)).toThrowError(AppError);
  });
});

describe('messageTypeName', () => {
  it('names known, newer and unknown kinds', () => {
    expect([1, 14, 17, 18, 21, 99].map(messageTypeName)).toEqual([
      'MESSAGE_TYPE_CAST_ADD',
      'MESSAGE_TYPE_LINK_COMPACT_STATE',
      'MESSAGE_TYPE_KEY_REMOVE',
      'MESSAGE_TYPE_CHANNEL_UPDATE',
      'MESSAGE_TYPE_CHANNEL_MODERATE',
      'MESSAGE_TYPE_99',
    ]);
  });
});
