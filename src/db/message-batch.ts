import type { PGlite } from '@electric-sql/pglite';

/** First bytes of the messages that make PostgreSQL answer: Sync, Flush, Query, Terminate. */
const ENDS_BATCH = new Set(['S', 'H', 'Q', 'X'].map((letter) => letter.charCodeAt(0)));

/** The part of the engine that its adapter for `pg` uses. */
export type Engine = Pick<PGlite, 'waitReady' | 'execProtocolStream'>;

/**
 * Sends the messages of a statement (Parse, Bind, Describe, Execute, Sync) to the engine at once, as they reach a server
 * in one packet. PGlite's adapter sends them one by one, and a round of the engine each takes a quarter of a short
 * statement's time.
 */
export const batchMessages = (engine: Engine): Engine => {
  let waiting: Uint8Array[] = [];
  return {
    waitReady: engine.waitReady,
    execProtocolStream: async (message, options) => {
      waiting.push(message);
      if (!ENDS_BATCH.has(message[0] ?? 0)) return [];
      const batch = waiting.length === 1 ? message : new Uint8Array(Buffer.concat(waiting));
      waiting = [];
      return engine.execProtocolStream(batch, options);
    },
  };
};
