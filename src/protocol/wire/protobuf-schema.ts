import { isUtf8 } from 'node:buffer';
import { UINT32, UINT53, WireError, WireReader } from './wire.js';

/** One field of a protobuf message: its number, its default, and how to read it. */
interface Field<T> {
  readonly number: number;
  readonly isRepeated: boolean;
  /** Numbers in a list share one length-delimited field. */
  readonly isPacked: boolean;
  /** A number, which is not length-delimited. */
  readonly isNumber: boolean;
  /** The default value and absence are equal, so an encoder omits the default. */
  readonly isImplicit: boolean;
  /** The fields of a nested message. */
  readonly inner?: Layout;
  absent(): T;
  /** @param previous value of earlier occurrences of a repeated field */
  read(reader: WireReader, previous: T): T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** How a field is encoded. */
export interface FieldLayout
  extends Pick<Field<unknown>, 'isRepeated' | 'isPacked' | 'isNumber' | 'isImplicit' | 'inner'> {
  /**
   * Encoders write fields in ascending order of this: the field's number, or the smallest number of its `oneof` (prost
   * sorts by it; ts-proto writes in the order of the definition, which is the same for all messages here).
   */
  readonly position: number;
}

/** The known fields of a protobuf message by number. */
export type Layout = ReadonlyMap<number, FieldLayout>;

/** A protobuf message that is read strictly; `read` throws `WireError` with the path of the faulty field. */
export interface Shape<T> {
  read(bytes: Uint8Array): T;
  readonly layout: Layout;
}

/** The type that a shape reads. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

const EMPTY: Uint8Array = new Uint8Array(0);

const single = <T>(number: number, absent: T, read: (reader: WireReader) => T): Field<T> => ({
  number,
  isRepeated: false,
  isPacked: false,
  isNumber: typeof absent === 'number',
  isImplicit: true,
  absent: () => absent,
  read,
});

const many = <T>(number: number, append: (reader: WireReader, into: T[]) => void): Field<readonly T[]> => ({
  number,
  isRepeated: true,
  isPacked: false,
  isNumber: false,
  isImplicit: false,
  absent: () => [],
  read(reader, previous) {
    append(reader, previous as T[]);
    return previous;
  },
});

/** Text is kept as bytes, because the protocol's limits and positions count bytes; it is validated as UTF-8. */
const readText = (reader: WireReader): Uint8Array => {
  const bytes = reader.byteString();
  if (!isUtf8(bytes)) throw new WireError('the text is not UTF-8');
  return bytes;
};

export const uint64 = (number: number): Field<number> => single(number, 0, (reader) => reader.uint64());
/** Also reads enumerations: the protocol has no negative values. */
export const uint32 = (number: number): Field<number> => single(number, 0, (reader) => reader.uint32());
export const bytes = (number: number): Field<Uint8Array> => single(number, EMPTY, (reader) => reader.byteString());
export const text = (number: number): Field<Uint8Array> => single(number, EMPTY, readText);
export const uint64s = (number: number): Field<readonly number[]> => ({
  ...many<number>(number, (reader, into) => reader.repeated(into, UINT53)),
  isPacked: true,
});
export const uint32s = (number: number): Field<readonly number[]> => ({
  ...many<number>(number, (reader, into) => reader.repeated(into, UINT32)),
  isPacked: true,
});
export const texts = (number: number): Field<readonly Uint8Array[]> =>
  many<Uint8Array>(number, (reader, into) => into.push(readText(reader)));
export const message = <T>(number: number, inner: Shape<T>): Field<T | undefined> => ({
  ...single<T | undefined>(number, undefined, (reader) => inner.read(reader.byteString())),
  isImplicit: false,
  inner: inner.layout,
});
export const messages = <T>(number: number, inner: Shape<T>): Field<readonly T[]> => ({
  ...many<T>(number, (reader, into) => into.push(inner.read(reader.byteString()))),
  inner: inner.layout,
});
/** A field whose absence is different from its default. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  ...field,
  isImplicit: false,
  absent: () => undefined,
});

/**
 * @param fields by name; other fields are skipped
 * @param oneOf groups of names of which at most one may be set
 */
export const shape = <F extends Fields>(
  fields: F,
  oneOf: readonly (readonly (keyof F)[])[] = [],
): Shape<{ readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }> => {
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
  return { read, layout: layoutOf(fields, oneOf) } as ReturnType<typeof shape<F>>;
};

const layoutOf = <F extends Fields>(fields: F, oneOf: readonly (readonly (keyof F)[])[]): Layout => {
  const numberOf = (name: keyof F): number => (fields[name] as Field<unknown>).number;
  return new Map(
    Object.entries(fields).map(([name, field]) => {
      const group = oneOf.find((names) => names.includes(name)) ?? [name];
      return [field.number, { ...field, position: Math.min(...group.map(numberOf)) }];
    }),
  );
};
