import { createGunzip } from 'node:zlib';

/** @returns whether a file that starts with these bytes is compressed with gzip */
export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** A small part of a file may expand a thousandfold; this limits one step to a few megabytes. */
const STEP_BYTES = 16 * 1024;

/**
 * Decompresses in steps. A zlib stream that fails discards what it has not handed over yet, but the lines before the
 * damage are needed.
 * @throws the error of zlib, after everything before it
 */
export async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let unpacked: Uint8Array[] = [];
  let failure: Error | undefined;
  let hasEnded = false;
  let settle: () => void = () => undefined;
  gunzip.on('data', (bytes) => unpacked.push(bytes));
  gunzip.on('error', (error) => {
    failure = error;
    settle();
  });
  gunzip.on('end', () => {
    hasEnded = true;
    settle();
  });
  async function* step(start: (done: () => void) => void): AsyncGenerator<Uint8Array> {
    await new Promise<void>((resolve) => {
      settle = resolve;
      start(resolve);
    });
    const taken = unpacked;
    unpacked = [];
    yield* taken;
    if (failure) throw failure;
  }
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length && !hasEnded; at += STEP_BYTES) {
        yield* step((done) => gunzip.write(chunk.subarray(at, at + STEP_BYTES), () => done()));
      }
      // Bytes after the compressed data end it early; they are ignored.
      if (hasEnded) return;
    }
    yield* step(() => gunzip.end());
  } finally {
    gunzip.destroy();
  }
}

/** @returns the problem of the file for an error of zlib; undefined for any other error */
export const gzipError = (error: unknown): 'truncated' | 'corrupt' | undefined => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return 'truncated';
  return code.startsWith('Z_') ? 'corrupt' : undefined;
};
