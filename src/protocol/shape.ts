import { isUtf8 } from 'node:buffer';
import { UINT32, UINT53, WireError, WireReader } from './wire.js';

/** One field of a protobuf message: its number, its value when absent, and how to read it. */
interface Field<T> {
  readonly number: number;
  readonly isRepeated: boolean;
  absent(): T;
  /** @param previous what earlier occurrences of a repeated field gave */
  read(reader: WireReader, previous: T): T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** A protobuf message that is read strictly; `read` throws `WireError` with the path of the field at fault. */
export interface Shape<T> {
  read(bytes: Uint8Array): T;
}

/** What a shape reads into. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

const EMPTY: Uint8Array = new Uint8Array(0);

const single = <T>(number: number, absent: T, read: (reader: WireReader) => T): Field<T> => ({
  number,
  isRepeated: false,
  absent: () => absent,
  read,
});

const many = <T>(number: number, append: (reader: WireReader, into: T[]) => void): Field<readonly T[]> => ({
  number,
  isRepeated: true,
  absent: () => [],
  read(reader, previous) {
    append(reader, previous as T[]);
    return previous;
  },
});

/** Text stays bytes, because the protocol's limits and positions count them; it is checked to be UTF-8. */
function readText(reader: WireReader): Uint8Array {
  const bytes = reader.byteString();
  if (!isUtf8(bytes)) throw new WireError('the text is not UTF-8');
  return bytes;
}

export const uint64 = (number: number): Field<number> => single(number, 0, (reader) => reader.uint64());
/** An enumeration is read as this, too: negative values do not exist in the protocol. */
export const uint32 = (number: number): Field<number> => single(number, 0, (reader) => reader.uint32());
export const bytes = (number: number): Field<Uint8Array> => single(number, EMPTY, (reader) => reader.byteString());
export const text = (number: number): Field<Uint8Array> => single(number, EMPTY, readText);
export const uint64s = (number: number): Field<readonly number[]> =>
  many<number>(number, (reader, into) => reader.repeated(into, UINT53));
export const uint32s = (number: number): Field<readonly number[]> =>
  many<number>(number, (reader, into) => reader.repeated(into, UINT32));
export const texts = (number: number): Field<readonly Uint8Array[]> =>
  many<Uint8Array>(number, (reader, into) => into.push(readText(reader)));
export const message = <T>(number: number, inner: Shape<T>): Field<T | undefined> =>
  single<T | undefined>(number, undefined, (reader) => inner.read(reader.byteString()));
export const messages = <T>(number: number, inner: Shape<T>): Field<readonly T[]> =>
  many<T>(number, (reader, into) => into.push(inner.read(reader.byteString())));
/** A field whose absence differs from its default. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({ ...field, absent: () => undefined });

/**
 * @param fields by name; fields of other numbers are passed over
 * @param oneOf groups of names of which at most one may be set
 */
export function shape<F extends Fields>(
  fields: F,
  oneOf: readonly (readonly (keyof F)[])[] = [],
): Shape<{ readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }> {
  const entries = Object.entries(fields) as [keyof F & string, Field<unknown>][];
  const byNumber: ([keyof F & string, Field<unknown>] | undefined)[] = [];
  for (const entry of entries) byNumber[entry[1].number] = entry;

  type Values = Record<keyof F, unknown>;
  const read = (bytes: Uint8Array): Values => {
    const values = {} as Values;
    for (const [name, field] of entries) values[name] = field.absent();
    const reader = new WireReader(bytes);
    let seen = 0;
    while (reader.next()) {
      const entry = byNumber[reader.field];
      if (entry === undefined) {
        reader.skip();
        continue;
      }
      const [name, field] = entry;
      const bit = 1 << field.number;
      if (seen & bit && !field.isRepeated) throw new WireError(`${name} is set twice`);
      seen |= bit;
      try {
        values[name] = field.read(reader, values[name]);
      } catch (cause) {
        throw cause instanceof WireError ? new WireError(`${name}: ${cause.message}`) : cause;
      }
    }
    for (const group of oneOf) {
      const set = group.filter((name) => values[name] !== undefined);
      if (set.length > 1) throw new WireError(`${set.join(' and ')} exclude each other`);
    }
    return values;
  };
  return { read } as ReturnType<typeof shape<F>>;
}
