import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';
import type { DocumentReaders, DocumentTask, ReceivedDocument } from './document-thread.js';

/** Threads run the build, also when the service is run from its sources. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/crawl/document-thread.js' : './document-thread.js',
  import.meta.url,
);

/** For one document; honest ones take some milliseconds. */
const TIMEOUT_MS = 3_000;
/** For the start of a thread, which loads the parsers. */
const START_TIMEOUT_MS = 30_000;
/** After it, the thread ends: a service at rest keeps no memory for it. */
const IDLE_MS = 60_000;

/** A document took too much time or memory. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** Reads documents of strangers. */
export interface DocumentReader {
  /** @throws DocumentError, or whatever a parser throws */
  read<Kind extends keyof DocumentReaders>(
    kind: Kind,
    document: ReceivedDocument,
  ): Promise<Awaited<ReturnType<DocumentReaders[Kind]>>>;
  /** Ends the thread, also when it is busy. */
  close(): Promise<void>;
}

/**
 * @returns a reader with one thread, which starts with the first document. Whatever a parser does to its thread (an
 *   endless loop, memory, members added to `Object.prototype`) ends there: the built-in objects of the thread are frozen,
 *   and a document that exceeds the limits ends the thread.
 */
export const createDocumentReader = (): DocumentReader => {
  const pool = new Tinypool({
    filename: fileURLToPath(THREAD),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 },
    execArgv: ['--frozen-intrinsics', '--disable-warning=ExperimentalWarning'],
  });
  // One after the other: the time of a document must not contain that of those before it.
  let last: Promise<unknown> = Promise.resolve();

  const readNow = async (task: DocumentTask): Promise<unknown> => {
    try {
      await pool.run(undefined, { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
      return await pool.run(task, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      const { name, code } = error as { readonly name?: string; readonly code?: string };
      if (name !== 'AbortError' && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      throw new DocumentError(`a document (${task.kind}) takes too much time or memory`, { cause: error });
    }
  };

  return {
    read: (kind, document) => {
      const result = last.then(() => readNow({ kind, document }));
      last = result.catch(() => undefined);
      // The thread has the readers of this kind.
      return result as Promise<Awaited<ReturnType<DocumentReaders[typeof kind]>>>;
    },
    close: () => pool.destroy(),
  };
};
