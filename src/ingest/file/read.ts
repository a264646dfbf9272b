import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { AppError } from '../../error.js';
import type { IngestItem } from '../item.js';
import { type FileFormat, formatOf, itemFromJson, itemsOfRecord } from './format.js';
import { gunzipped, gzipError, isGzip } from './gzip.js';
import { type FileEntryBytes, type FileFormatError, type FileSplitter, LineSplitter, RecordSplitter } from './split.js';

/** The next item of a file, or an error. `bytes` is how much of the file on disk has been read. */
export type FileEntry =
  | { readonly ok: true; readonly item: IngestItem; readonly bytes: number }
  | {
      readonly ok: false;
      /** Number of the line or record, from 1. */
      readonly line: number;
      readonly reason: FileFormatError;
      readonly detail: string;
      readonly bytes: number;
    };

/**
 * Reads a file of messages, onchain events and username proofs in one of the formats of `format.ts`, compressed with
 * gzip or not; the format is detected. An unreadable piece is an entry, and reading continues if the next piece can be
 * found. Nothing is verified.
 * @throws AppError not_found or forbidden, property `file`, if the file is missing or not readable
 */
export async function* readFileItems(path: string): AsyncGenerator<FileEntry> {
  const progress = { bytes: 0 };
  const file = await peek(fileChunks(path, progress), 2);
  const plain = isGzip(file.head) ? gunzipped(file.chunks) : file.chunks;
  let line = 0;
  try {
    const body = await peek(plain, HEAD_BYTES);
    const format = formatOf(body.head);
    const splitter: FileSplitter = format === 'json' ? new LineSplitter() : new RecordSplitter();
    const entriesOf = (piece: FileEntryBytes): FileEntry[] => {
      line = piece.number;
      return entries(piece, format, progress.bytes);
    };
    for await (const chunk of body.chunks) {
      for (const piece of splitter.push(chunk)) for (const entry of entriesOf(piece)) yield entry;
    }
    for (const piece of splitter.end()) for (const entry of entriesOf(piece)) yield entry;
  } catch (error) {
    const reason = gzipError(error);
    if (reason === undefined) throw error;
    const detail = reason === 'truncated' ? 'the compressed file ends early' : 'the compressed file is damaged';
    yield { ok: false, line: line + 1, reason, detail, bytes: progress.bytes };
  }
}

/** Contains the first record of most files. */
const HEAD_BYTES = 4096;

const entries = (piece: FileEntryBytes, format: FileFormat, bytes: number): FileEntry[] => {
  const fault = (reason: FileFormatError, detail: string): FileEntry[] => [
    { ok: false, line: piece.number, reason, detail, bytes },
  ];
  if ('fault' in piece) return fault(piece.fault, piece.detail);
  try {
    if (format === 'protobuf') return itemsOfRecord(piece.bytes).map((item) => ({ ok: true, item, bytes }));
    if (!isUtf8(piece.bytes)) return fault('bad_encoding', 'no UTF-8');
    const text = textOf(piece);
    return text === '' ? [] : [{ ok: true, item: itemFromJson(JSON.parse(text)), bytes }];
  } catch (error) {
    if (!(error instanceof SyntaxError))
      return fault('bad_item', error instanceof Error ? error.message : String(error));
    return piece.isUnfinished ? fault('truncated', 'the file ends inside a line') : fault('bad_json', 'no JSON');
  }
};

/** A line may end in CRLF, and the first may start with a byte order mark; `trim` removes both. */
const textOf = (piece: { bytes: Uint8Array }): string =>
  Buffer.from(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.byteLength).toString('utf8').trim();

async function* fileChunks(path: string, progress: { bytes: number }): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      progress.bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const options = { property: 'file', cause: error };
  if (code === 'ENOENT') return new AppError('not_found', 'NotFound', `There is no file ${path}.`, options);
  if (code === 'EISDIR') return new AppError('invalid', 'InvalidField', `${path} is a folder, not a file.`, options);
  if (code === 'EACCES') return new AppError('forbidden', 'Forbidden', `The file ${path} may not be read.`, options);
  return error;
};

/**
 * Reads ahead until there are `size` bytes or the file ends; the returned `chunks` start at the beginning again. An
 * error is thrown by `chunks`, after what was read before it.
 */
const peek = async (
  source: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ head: Uint8Array; chunks: AsyncIterable<Uint8Array> }> => {
  const iterator = source[Symbol.asyncIterator]();
  const ahead: Uint8Array[] = [];
  let bytes = 0;
  let failure: { error: unknown } | undefined;
  try {
    while (bytes < size) {
      const next = await iterator.next();
      if (next.done) break;
      ahead.push(next.value);
      bytes += next.value.length;
    }
  } catch (error) {
    failure = { error };
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* ahead;
      if (failure) throw failure.error;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(ahead), chunks: chunks() };
};
