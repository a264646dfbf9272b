import { AppError } from '../../error.js';
import { fromHex } from '../../hex.js';

/** An unvalidated JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @returns base64 with padding; '' for no bytes */
export const toBase64 = (bytes: Uint8Array): string => view(bytes).toString('base64');

/** @returns the bytes as UTF-8 text, with ill-formed parts replaced */
export const toText = (bytes: Uint8Array): string => view(bytes).toString('utf8');

/**
 * @returns the error for JSON that is not in hub form; `property` is the path of the faulty member, '' for the whole
 */
export const badJson = (property: string, expected: string): AppError =>
  new AppError('invalid', 'InvalidField', `${property === '' ? 'The JSON' : property} must be ${expected}.`, {
    ...(property === '' ? {} : { property }),
    hubCode: 'bad_request.parse_failure',
  });

/** Some hubs write null for a member that is not set, others omit it. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * @param at path of the value, as in all functions of this file
 * @throws AppError invalid if `value` is not an object
 */
export const readObject = (value: unknown, at: string): JsonObject => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badJson(at, 'an object');
  return value as JsonObject;
};

/** @returns the path of a member of the object at `at` */
export const member = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

export const readText = (value: unknown, at: string): string => {
  if (typeof value !== 'string') throw badJson(at, 'a string');
  return value;
};

const UINT_TEXT = /^\d{1,16}$/;

/**
 * Some hubs write 64-bit numbers as strings.
 * @throws AppError invalid unless it is a whole number from 0 to `max`
 */
export const readUint = (value: unknown, at: string, max = Number.MAX_SAFE_INTEGER): number => {
  const number = typeof value === 'string' && UINT_TEXT.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > max) {
    throw badJson(at, `a whole number from 0 to ${max}`);
  }
  return number;
};

export const readUint32 = (value: unknown, at: string): number => readUint(value, at, 0xffff_ffff);

const HEX = /^(?:[0-9a-fA-F]{2})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const BYTES = 'hex with 0x, or base64';

/**
 * Reads hex if the text is `0x` and hex digits (which can also be valid base64), else base64 with or without padding.
 */
export const readBytes = (value: unknown, at: string): Uint8Array => {
  const text = readText(value, at);
  if (text.startsWith('0x') && HEX.test(text.slice(2))) return fromHex(text);
  if (!BASE64.test(text)) throw badJson(at, BYTES);
  return Buffer.from(text, 'base64');
};

/**
 * Reads bytes of a known length. Hex without `0x` is accepted, too, because with that length it cannot be base64.
 * @throws AppError invalid, also for a wrong length
 */
export const readFixedBytes = (value: unknown, at: string, length: number): Uint8Array => {
  const text = readText(value, at);
  const isUnprefixedHex = text.length === length * 2 && HEX.test(text);
  const bytes = readBytes(isUnprefixedHex ? `0x${text}` : text, at);
  if (bytes.length !== length) throw badJson(at, `${length} bytes as ${BYTES}`);
  return bytes;
};

/** An absent list is empty, as in protobuf. */
export const readList = <Item>(value: unknown, at: string, one: (value: unknown, at: string) => Item): Item[] => {
  if (!isSet(value)) return [];
  if (!Array.isArray(value)) throw badJson(at, 'an array');
  return value.map((item, index) => one(item, `${at}[${index}]`));
};

/** The names of a protocol enumeration; each number may have several spellings. */
export interface EnumNames {
  /** @returns the name; the prefix and the number if there is none, which {@link readEnum} accepts */
  name(value: number): string;
  /** @returns undefined for an unknown name */
  value(name: string): number | undefined;
}

/**
 * @param prefix common prefix of the names (`USER_DATA_TYPE_`)
 * @param names the names that are written, by number
 * @param aliases further names that are read
 */
export const enumNames = (
  prefix: string,
  names: Readonly<Record<number, string>>,
  aliases: Readonly<Record<string, number>> = {},
): EnumNames => {
  const values = new Map(Object.entries(aliases));
  for (const [value, name] of Object.entries(names)) values.set(name, Number(value));
  return {
    name: (value) => names[value] ?? `${prefix}${value}`,
    value: (name) => values.get(name) ?? numbered(name, prefix),
  };
};

const numbered = (name: string, prefix: string): number | undefined => {
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
};

export const readEnum = (value: unknown, at: string, names: EnumNames): number => {
  const known = typeof value === 'string' ? names.value(value) : undefined;
  if (known !== undefined) return known;
  if (typeof value === 'string') throw badJson(at, 'a name or number of its enumeration');
  return readUint(value, at, 0x7fff_ffff);
};
