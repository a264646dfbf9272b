import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnKind, PublicColumn } from '../../store/public-view.js';

/** A file that is to be written. */
export interface ParquetTask {
  readonly file: string;
  readonly columns: readonly PublicColumn[];
  /** The program and its version. */
  readonly createdBy: string;
}

/** Values by column, as `PublicColumn` says. */
export type ColumnValues = readonly (readonly unknown[])[];

/** A row group ends at this many rows, or characters of text: memory is bounded by it, whatever a table has. */
const GROUP_ROWS = 50_000;
const GROUP_CHARACTERS = 16_000_000;

type Element = Omit<SchemaElement, 'name'>;

const INT64: Element = { type: 'INT64' };
const INT32: Element = { type: 'INT32' };
const ELEMENTS: Readonly<Record<Exclude<ColumnKind, 'int32-list' | 'int64-list'>, Element>> = {
  boolean: { type: 'BOOLEAN' },
  int32: INT32,
  int64: INT64,
  float: { type: 'FLOAT' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

/** @source https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists */
const listElements = (name: string, element: Element): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', ...element },
];

const schemaOf = (columns: readonly PublicColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.flatMap(({ name, kind }): SchemaElement[] => {
    if (kind === 'int32-list') return listElements(name, INT32);
    if (kind === 'int64-list') return listElements(name, INT64);
    return [{ name, repetition_type: 'OPTIONAL', ...ELEMENTS[kind] }];
  }),
];

const toBigInt = (value: unknown): bigint | null => (value === null ? null : BigInt(value as string));

/** Makes what the library takes from a value of a row. */
const CONVERSIONS: Readonly<Partial<Record<ColumnKind, (value: unknown) => unknown>>> = {
  int64: toBigInt,
  time: toBigInt,
  'int64-list': (value) => (value as readonly unknown[] | null)?.map(toBigInt) ?? null,
};

const openFile = ({ file, columns, createdBy }: ParquetTask) => {
  // The library's own writer opens the file by its name each time: of one that was deleted meanwhile it would write the end.
  const handle = openSync(file, 'wx');
  const bytes = new ByteWriter();
  const flush = (): void => {
    writeFileSync(handle, bytes.getBytes());
    bytes.index = 0;
  };
  const target = Object.assign(bytes, { flush, finish: flush });
  const writer = new ParquetWriter({ writer: target, schema: schemaOf(columns), createdBy });
  const empty = (): unknown[][] => columns.map(() => []);
  let group = empty();
  let characters = 0;
  const writeGroup = (): void => {
    const data = group;
    group = empty();
    characters = 0;
    const columnData = columns.map(({ name }, index) => ({ name, data: data[index] as unknown[] }));
    // Synchronous, as the writer of the file is.
    void writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  };
  return {
    append: (values: ColumnValues): void => {
      for (const [index, { kind }] of columns.entries()) {
        const convert = CONVERSIONS[kind];
        const column = group[index] as unknown[];
        for (const value of values[index] as readonly unknown[]) {
          column.push(convert ? convert(value) : value);
          if (typeof value === 'string') characters += value.length;
        }
      }
      if ((group[0]?.length ?? 0) >= GROUP_ROWS || characters >= GROUP_CHARACTERS) writeGroup();
    },
    /** Has the file on the disk. */
    close: (): void => {
      if ((group[0]?.length ?? 0) > 0) writeGroup();
      void writer.finish();
      fsyncSync(handle);
      closeSync(handle);
    },
  };
};

let current: ReturnType<typeof openFile> | undefined;

const required = (): ReturnType<typeof openFile> => {
  if (current === undefined) throw new Error('No file is open.');
  return current;
};

/** Opens a new file. */
export const openParquet = (task: ParquetTask): void => {
  current = openFile(task);
};

/** Adds rows to the open file. */
export const appendParquet = (values: ColumnValues): void => required().append(values);

/** Ends the open file, which is whole and on the disk then. */
export const closeParquet = (): void => {
  required().close();
  current = undefined;
};
