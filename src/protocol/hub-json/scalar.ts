import { AppError } from '../../error.js';

/** A JSON object of whoever wrote it; nothing about its members is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @returns lower-case hex with `0x`; `0x` for no bytes */
export const toHex = (bytes: Uint8Array): string => `0x${view(bytes).toString('hex')}`;

/** @returns base64 with padding; '' for no bytes */
export const toBase64 = (bytes: Uint8Array): string => view(bytes).toString('base64');

/** @returns the bytes as UTF-8 text, ill-formed parts replaced */
export const toText = (bytes: Uint8Array): string => view(bytes).toString('utf8');

/** @returns the error for JSON that is not in hub form; `property` is the path of the member at fault, '' the whole */
export const badJson = (property: string, expected: string): AppError =>
  new AppError('invalid', 'InvalidField', `${property === '' ? 'The JSON' : property} must be ${expected}.`, {
    ...(property === '' ? {} : { property }),
    hubCode: 'bad_request.parse_failure',
  });

/** Some hubs write null for a member that is not set, others leave it out. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** @throws AppError invalid when `value` is no object; `at` is its path, as in all functions of this file */
export function readObject(value: unknown, at: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badJson(at, 'an object');
  return value as JsonObject;
}

/** @returns the path of a member of the object at `at` */
export const member = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

export function readText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw badJson(at, 'a string');
  return value;
}

const UINT_TEXT = /^\d{1,16}$/;

/**
 * Numbers of 64 bits are written as strings by some hubs.
 * @throws AppError invalid when it is no whole number from 0 to `max`, or one that a double cannot hold
 */
export function readUint(value: unknown, at: string, max = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'string' && UINT_TEXT.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > max) {
    throw badJson(at, `a whole number from 0 to ${max}`);
  }
  return number;
}

export const readUint32 = (value: unknown, at: string): number => readUint(value, at, 0xffff_ffff);

const HEX = /^(?:[0-9a-fA-F]{2})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const BYTES = 'hex with 0x, or base64';

/** Hex when it starts with `0x` and goes on so (base64 can start like that, too), else base64, padded or not. */
export function readBytes(value: unknown, at: string): Uint8Array {
  const text = readText(value, at);
  if (text.startsWith('0x') && HEX.test(text.slice(2))) return Buffer.from(text.slice(2), 'hex');
  if (!BASE64.test(text)) throw badJson(at, BYTES);
  return Buffer.from(text, 'base64');
}

/**
 * Bytes of a known length: of those, hex without `0x` is taken as well, because it cannot be mistaken for base64.
 * @throws AppError invalid, also when there are more or fewer bytes
 */
export function readFixedBytes(value: unknown, at: string, length: number): Uint8Array {
  const text = readText(value, at);
  const isBareHex = text.length === length * 2 && HEX.test(text);
  const bytes = readBytes(isBareHex ? `0x${text}` : text, at);
  if (bytes.length !== length) throw badJson(at, `${length} bytes as ${BYTES}`);
  return bytes;
}

/** An absent list is an empty one, as in protobuf. */
export function readList<Item>(value: unknown, at: string, one: (value: unknown, at: string) => Item): Item[] {
  if (!isSet(value)) return [];
  if (!Array.isArray(value)) throw badJson(at, 'an array');
  return value.map((item, index) => one(item, `${at}[${index}]`));
}

/** An enumeration of the protocol: names by number, numbers by each spelling in use. */
export interface EnumNames {
  /** The name; for a number without one: the prefix and the number, which {@link readEnum} takes back. */
  name(value: number): string;
  /** @returns undefined for a name that no enumeration value has */
  value(name: string): number | undefined;
}

/**
 * @param prefix what the names of the enumeration start with (`USER_DATA_TYPE_`)
 * @param names the names by number, in the spelling that is written
 * @param aliases further spellings that are read, with their numbers
 */
export function enumNames(
  prefix: string,
  names: Readonly<Record<number, string>>,
  aliases: Readonly<Record<string, number>> = {},
): EnumNames {
  const values = new Map(Object.entries(aliases));
  for (const [value, name] of Object.entries(names)) values.set(name, Number(value));
  return {
    name: (value) => names[value] ?? `${prefix}${value}`,
    value: (name) => values.get(name) ?? numbered(name, prefix),
  };
}

function numbered(name: string, prefix: string): number | undefined {
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

/** An enumeration value by name or by number. */
export function readEnum(value: unknown, at: string, names: EnumNames): number {
  const known = typeof value === 'string' ? names.value(value) : undefined;
  if (known !== undefined) return known;
  if (typeof value === 'string') throw badJson(at, 'a name or number of its enumeration');
  return readUint(value, at, 0x7fff_ffff);
}
