import { toHex } from '../../hex.js';
import {
  type EnumNames,
  isSet,
  type JsonObject,
  member,
  readBytes,
  readEnum,
  readFixedBytes,
  readList,
  readObject,
  readText,
  readUint,
  toBase64,
} from './scalar.js';

/** Writes one kind of value as hub JSON and reads it back. */
export interface Codec<Value> {
  /** @returns undefined for a member that is left out */
  write(value: Value): unknown;
  /**
   * @param json undefined and null: the member is not set
   * @param at path of the value, for the error
   * @throws AppError invalid with the path of the faulty member
   */
  read(json: unknown, at: string): Value;
}

/** A codec for each member, in the order in which they are written. */
export type Members<Value> = { readonly [Name in keyof Required<Value>]: Codec<Value[Name]> };

const same = <Value>(value: Value): Value => value;

export const text: Codec<string> = { write: same, read: readText };
export const uint: Codec<number> = { write: same, read: (json, at) => readUint(json, at) };
export const uint32: Codec<number> = { write: same, read: (json, at) => readUint(json, at, 0xffff_ffff) };
/** Bytes written as hex; base64 is read, too. */
export const hex: Codec<Uint8Array> = { write: toHex, read: readBytes };
/** Bytes written as base64; hex is read, too. */
export const base64: Codec<Uint8Array> = { write: toBase64, read: readBytes };

/** @param length in bytes; {@link readFixedBytes} says what is read */
export const hexOf = (length: number): Codec<Uint8Array> => ({
  write: toHex,
  read: (json, at) => readFixedBytes(json, at, length),
});

export const enumOf = (names: EnumNames): Codec<number> => ({
  write: (value) => names.name(value),
  read: (json, at) => readEnum(json, at, names),
});

/** An absent list is read as an empty one. */
export const list = <Item>(item: Codec<Item>): Codec<Item[]> => ({
  write: (items) => items.map((one) => item.write(one)),
  read: (json, at) => readList(json, at, item.read),
});

export const optional = <Value>(codec: Codec<Value>): Codec<Value | undefined> => ({
  write: (value) => (value === undefined ? undefined : codec.write(value)),
  read: (json, at) => (isSet(json) ? codec.read(json, at) : undefined),
});

/** A value that is always written and may be absent. */
export const withDefault = <Value>(codec: Codec<Value>, value: Value): Codec<Value> => ({
  write: codec.write,
  read: (json, at) => (isSet(json) ? codec.read(json, at) : value),
});

/** @param check sees the JSON before its members are read; throws AppError for a combination that is not allowed */
export const object = <Value extends object>(
  members: Members<Value>,
  check?: (json: JsonObject, at: string) => void,
): Codec<Value> => {
  const entries = Object.entries(members) as [string, Codec<unknown>][];
  return {
    write: (value) => {
      const json: Record<string, unknown> = {};
      for (const [name, codec] of entries) {
        const written = codec.write((value as JsonObject)[name]);
        if (written !== undefined) json[name] = written;
      }
      return json;
    },
    read: (given, at) => {
      const json = readObject(given, at);
      check?.(json, at);
      const value: Record<string, unknown> = {};
      for (const [name, codec] of entries) value[name] = codec.read(json[name], member(at, name));
      return value as Value;
    },
  };
};
