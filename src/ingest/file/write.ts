import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type FileFormat, type FileItem, lineOfItem, recordOfItem } from './format.js';

export interface FileWriter {
  /** Resolves when the next item can be written. @throws the error of the file system */
  write(item: FileItem): Promise<void>;
  /** Completes the file, which gets its name only now. @throws the error of the file system */
  close(): Promise<void>;
  /** Cancels and removes the file. */
  abort(): Promise<void>;
}

/**
 * Creates a file in one of the formats of `format.ts`, compressed if its name ends in `.gz`. It is written under the
 * name `<path>.partial`, so that a file with the right name is always complete.
 */
export const openFileWriter = (path: string, format: FileFormat): FileWriter => {
  const partial = `${path}.partial`;
  const input = path.endsWith('.gz') ? createGzip() : new PassThrough({ highWaterMark: 1024 * 1024 });
  const failure = new AbortController();
  const written = pipeline(input, createWriteStream(partial), { signal: failure.signal });
  // Reported by the next call; until then it must not count as unhandled.
  written.catch(() => undefined);
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(batch);
    batch = [];
    batchBytes = 0;
    if (!input.destroyed && input.write(bytes)) return;
    await Promise.race([once(input, 'drain', { signal: failure.signal }), written]);
  };
  return {
    async write(item) {
      const piece = format === 'json' ? Buffer.from(lineOfItem(item)) : recordOfItem(item);
      batchBytes += piece.length;
      batch.push(piece);
      if (batchBytes >= BATCH_BYTES) await flush();
    },
    async close() {
      await flush();
      input.end();
      await written;
      await rename(partial, path);
    },
    async abort() {
      failure.abort();
      await written.catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
};

/** A single message is too small for a call of the compressor. */
const BATCH_BYTES = 64 * 1024;
