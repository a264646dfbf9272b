import { MessageData } from '@farcaster/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODIES } from '../../../test/support/arbitrary-body.js';
import { bodyData, castData, mainnetWires, NOW, sign, signBytes } from '../../../test/support/signed-message.js';
import { verifyWire } from '../verify/verify.js';
import { checkCanonical, type Encoder, withoutEmptyLists, withShortNumbers } from './canonical.js';
import { decodeDataBytes } from './decode.js';
import { decodeEnvelope } from './envelope.js';
import { encodeByteString, encodeVarint, WireReader } from './wire.js';

const encode = (data: object): Uint8Array => MessageData.encode(data as MessageData).finish();

/** Each kind of body in a message with arbitrary members, as the protocol's package encodes it. */
const anyData = fc.oneof(
  ...BODIES.map(([name, , , arbitrary]) => arbitrary.map((value) => encode(bodyData(1, { [name]: value })))),
);

const takes = (bytes: Uint8Array, encoder: Encoder): boolean => {
  try {
    checkCanonical(bytes, encoder);
    return true;
  } catch {
    return false;
  }
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const join = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** @returns the fields of a message, each with its tag */
const fieldsOf = (bytes: Uint8Array): Uint8Array[] => {
  const fields: Uint8Array[] = [];
  const reader = new WireReader(bytes);
  while (reader.next()) {
    reader.skip();
    fields.push(reader.wholeField());
  }
  return fields;
};

/** @returns the same first number of a field, in one byte more than it needs */
const overlong = (field: Uint8Array): Uint8Array => {
  const end = field.findIndex((byte) => byte < 0x80);
  return join([field.subarray(0, end), Uint8Array.of((field[end] as number) | 0x80, 0), field.subarray(end + 1)]);
};

type Change = (fields: Uint8Array[], at: number, other: number) => Uint8Array[];

/** What a careless encoder does to the fields of a message. */
const CHANGES: readonly Change[] = [
  (fields) => fields,
  (fields, at, other) => fields.with(at, fields[other] as Uint8Array).with(other, fields[at] as Uint8Array),
  (fields, at) => fields.toSpliced(at, 0, fields[at] as Uint8Array),
  (fields, at) => fields.with(at, overlong(fields[at] as Uint8Array)),
  (fields, at, other) => fields.toSpliced(at, 0, Uint8Array.of(((other % 10) + 1) * 8, 0)),
  (fields, at, other) => fields.toSpliced(at, 0, Uint8Array.of(((other % 10) + 1) * 8 + 2, 0)),
  (fields, at) => fields.toSpliced(at, 0, join([encodeVarint(900 * 8), Uint8Array.of(1)])),
];

const changed = fc
  .tuple(anyData, fc.boolean(), fc.constantFrom(...CHANGES), fc.nat(), fc.nat())
  .map(([typescript, isInside, change, at, other]) => {
    const fields = fieldsOf(withoutEmptyLists(typescript));
    const apply = (list: Uint8Array[]): Uint8Array =>
      list.length === 0 ? join(list) : join(change(list, at % list.length, other % list.length));
    if (!isInside) return apply(fields);
    const reader = new WireReader(fields.at(-1) as Uint8Array);
    reader.next();
    const body = apply(fieldsOf(reader.byteString()));
    return join([...fields.slice(0, -1), encodeVarint(reader.field * 8 + 2), encodeVarint(body.length), body]);
  });

const count = (values: readonly unknown[]): number => values.filter((value) => value !== undefined).length;

/** The package keeps both members of a `oneof` and writes both again, which hubs do not. */
const hasTwoOfOne = (data: MessageData): boolean => {
  const { castAddBody: cast, reactionBody: reaction } = data;
  const bodies = Object.entries(data).filter(([name]) => name.endsWith('Body'));
  return (
    count(bodies.map(([, value]) => value)) > 1 ||
    count([cast?.parentUrl, cast?.parentCastId]) > 1 ||
    count([reaction?.targetUrl, reaction?.targetCastId]) > 1 ||
    (cast?.embeds ?? []).some(({ url, castId }) => count([url, castId]) > 1)
  );
};

describe('the form of data', () => {
  it('is that of every encoder of the network, without empty lists that of hubs', () => {
    fc.assert(
      fc.property(anyData, (typescript) => {
        const hub = withoutEmptyLists(typescript);
        expect(takes(typescript, 'any')).toBe(true);
        expect(takes(hub, 'any')).toBe(true);
        expect(takes(hub, 'hub')).toBe(true);
        expect(takes(typescript, 'hub')).toBe(hex(typescript) === hex(hub));
        expect(MessageData.decode(hub)).toEqual(MessageData.decode(typescript));
      }),
      { numRuns: 300 },
    );
  });

  it('is that of hubs exactly when decoding and encoding gives the same bytes', () => {
    let taken = 0;
    let refused = 0;
    fc.assert(
      fc.property(changed, (bytes) => {
        let again: Uint8Array;
        try {
          const data = MessageData.decode(bytes);
          fc.pre(!hasTwoOfOne(data));
          again = withoutEmptyLists(encode(data));
        } catch {
          fc.pre(false);
          return;
        }
        const isSame = hex(again) === hex(bytes);
        isSame ? taken++ : refused++;
        expect(takes(bytes, 'hub')).toBe(isSame);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
  });

  it('names the field in another form', () => {
    const fault = (bytes: string, encoder: Encoder = 'any') => {
      try {
        checkCanonical(Buffer.from(bytes, 'hex'), encoder);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(fault('10010801')).toBe('field 1 stands behind field 2');
    expect(fault('08010801')).toBe('field 1 is set twice');
    expect(fault('080110001801')).toBe('field 2 is set to its default');
    expect(fault('08011081001801')).toBe('field 2 has a number in more bytes than it needs');
    expect(fault('08012a0410011001')).toBe('field 5.2 is a list that is not packed');
    expect(fault('08012a021200', 'hub')).toBe('field 5.2 is an empty list');
    expect(fault('08012a021200')).toBeUndefined();
    expect(fault('08012a0412028100')).toBe('field 5.2 has a number in more bytes than it needs');
    expect(fault('08012a0622016d1a020801')).toBe('field 5.3 stands behind field 5.4');
    expect(fault('08012a063a017522016d')).toBeUndefined();
    expect(fault('08012a0622016d3a0175')).toBe('field 5.7 stands behind field 5.4');
    expect(fault('08012a0432020a00')).toBeUndefined();
    expect(fault('08012a0632041202 0800'.replace(' ', ''))).toBe('field 5.6.2.1 is set to its default');
  });

  it('may hold fields of tomorrow that a hub sent, in their order', () => {
    const known = hex(encode(bodyData(11, { userDataBody: { type: 1, value: 'x' } })));
    const newer = (fields: string) => Buffer.from(known + fields, 'hex');
    expect(takes(newer('c83e01'), 'any')).toBe(true);
    expect(takes(newer('ca3e0161ca3e0162'), 'any')).toBe(true);
    expect(takes(newer('c83e01c83e01'), 'any')).toBe(false);
    expect(takes(newer('ca3e0161c23e00'), 'any')).toBe(false);
    expect(takes(newer('c83e01'), 'hub')).toBe(false);
  });
});

describe('a message', () => {
  const typescript = encode(castData());
  const hub = withoutEmptyLists(typescript);
  const reordered = join(fieldsOf(hub).reverse());
  const reasonOf = (wire: Uint8Array, isSubmission: boolean): string => {
    const result = verifyWire(wire, { now: NOW, isSubmission });
    return result.ok ? 'ok' : result.reason;
  };

  it('has data in canonical form, or data_bytes in any', () => {
    for (const isSubmission of [true, false]) {
      expect(reasonOf(signBytes(hub), isSubmission)).toBe('ok');
      expect(reasonOf(signBytes(reordered), isSubmission)).toBe('not_canonical');
      expect(reasonOf(signBytes(reordered, { dataForm: 'data_bytes' }), isSubmission)).toBe('ok');
      expect(reasonOf(sign(castData(), { dataForm: 'data_bytes' }), isSubmission)).toBe('ok');
    }
  });

  it('that is submitted has the form that hubs of today encode', () => {
    expect(reasonOf(signBytes(typescript), true)).toBe('not_canonical');
    expect(reasonOf(signBytes(typescript), false)).toBe('ok');
  });

  it('of the public network has one of the forms', () => {
    for (const wire of mainnetWires()) {
      const { dataBytes, dataForm } = decodeEnvelope(wire);
      if (dataForm === 'data') expect(takes(dataBytes, 'any')).toBe(true);
    }
  });
});

/** @returns the same message with all numbers in as many bytes as are allowed, also those of its bodies */
const withLongNumbers = (bytes: Uint8Array, depth = 0): Uint8Array => {
  const fields = fieldsOf(bytes).map((field) => {
    const tag = field.findIndex((byte) => byte < 0x80) + 1;
    const isNumber = ((field[0] as number) & 7) === 0;
    if (isNumber) return join([field.subarray(0, tag), longest(field.subarray(tag))]);
    const reader = new WireReader(field);
    reader.next();
    const isBody = depth === 0;
    return encodeByteString(reader.field, isBody ? withLongNumbers(reader.byteString(), 1) : reader.byteString());
  });
  return join(fields);
};

/** @returns a number in ten bytes, the most that any may have */
const longest = (varint: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(10).fill(0x80);
  bytes.set(varint.map((byte) => byte | 0x80));
  bytes[9] = 0;
  return bytes;
};

it('numbers in more bytes than they need are decoded as hubs do, and hide nothing behind them', () => {
  fc.assert(
    fc.property(anyData, (data) => {
      const long = withLongNumbers(data);
      expect(hex(withoutEmptyLists(withShortNumbers(long)))).toBe(hex(withoutEmptyLists(data)));
      expect(decodeDataBytes(long)).toEqual(MessageData.decode(data));
    }),
  );
});
