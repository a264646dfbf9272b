import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type FileFormat, type FileItem, lineOfItem, recordOfItem } from './format.js';

/** Writes items one after another. */
export interface FileWriter {
  /** Resolves when the next item can be taken. @throws the error of the file system */
  write(item: FileItem): Promise<void>;
  /** Finishes the file, which has its name only from now on. @throws the error of the file system */
  close(): Promise<void>;
  /** Gives up and leaves nothing behind. */
  abort(): Promise<void>;
}

/**
 * Starts a file in one of the forms of `file-format.ts`, compressed when its name ends in `.gz`. It grows under the name
 * `<path>.partial`, so that a file of the right name is always whole.
 */
export function openFileWriter(path: string, format: FileFormat): FileWriter {
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
}

/** A message alone is too little to be worth a turn of the compressor. */
const BATCH_BYTES = 64 * 1024;
