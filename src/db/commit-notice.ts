import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { PipelinedClient } from './pipelined-client.js';

/**
 * Notices between the processes that share a database: something was committed. They save polls, and nothing depends on
 * them: a notice may be lost with a connection or a process.
 */
export interface CommitNotices {
  /** Gives the other processes a notice, soon and at most ten times a second. Never fails. */
  send(): void;
  /** Connects, and calls the listener, in the place of an earlier one, after each notice of another process and connection. */
  listen(listener: () => void): void;
  /** Whether notices of other processes arrive; false while there is no connection. */
  isListening(): boolean;
  /** Sends the notice that is waiting. */
  close(): Promise<void>;
}

/** For a database that one process has alone. */
export const NO_NOTICES: CommitNotices = {
  send: () => undefined,
  listen: () => undefined,
  isListening: () => true,
  close: async () => undefined,
};

const CHANNEL = 'castellan_commit';
const PAUSE_MS = 100;
const RECONNECT_MS = 1_000;
/** Milliseconds between two checks of the connection, and until one fails: notices that do not come are not missed. */
const CHECK_MS = 5_000;
const CHECK_TIMEOUT_MS = 4_000;

/**
 * Notices through LISTEN and NOTIFY. They are sent after the commit: in the transaction, a NOTIFY would make commits wait
 * for each other, and with eight writers halved their rate (docs/decisions/0062-idle-processes.md).
 * @param open opens the connection for both; its argument is called with each session
 */
export const createCommitNotices = (open: (opened: (session: pg.Client) => void) => PipelinedClient) => {
  /** Tells this process's notices from others'. */
  const origin = randomUUID();
  let listener: (() => void) | undefined;
  let pause: NodeJS.Timeout | undefined;
  let isWaiting = false;
  let isListening = false;
  let current: pg.Client | undefined;
  let isClosed = false;
  let reconnection: NodeJS.Timeout | undefined;
  let nextCheck: NodeJS.Timeout | undefined;

  const check = async (session: pg.Client): Promise<void> => {
    // pg's types lack this option of a single statement.
    const query: pg.QueryConfig & { readonly query_timeout: number } = {
      text: 'select 1',
      query_timeout: CHECK_TIMEOUT_MS,
    };
    try {
      await session.query(query);
      checkLater(session);
    } catch {
      // The end of the session, which reports the loss, may have been reported already.
    }
  };
  const checkLater = (session: pg.Client): void => {
    if (!isClosed && session === current) nextCheck = setTimeout(() => void check(session), CHECK_MS).unref();
  };

  const startListening = async (session: pg.Client): Promise<void> => {
    try {
      await session.query(`listen ${CHANNEL}`);
      isListening = true;
      checkLater(session);
      // Notices of the time without a connection are lost.
      listener?.();
    } catch {
      session.end().catch(() => undefined);
    }
  };
  const connection = open((session) => {
    current = session;
    session.on('notification', ({ payload }) => {
      if (payload !== origin) listener?.();
    });
    session.on('end', () => {
      isListening = false;
      current = undefined;
      clearTimeout(nextCheck);
      if (!isClosed) reconnection = setTimeout(connect, RECONNECT_MS).unref();
    });
    if (listener !== undefined) void startListening(session);
  });
  const connect = async (): Promise<void> => {
    try {
      await connection.query({ text: 'select 1', values: [] });
    } catch {
      if (!isClosed) reconnection = setTimeout(connect, RECONNECT_MS).unref();
    }
  };

  const notify = async (): Promise<void> => {
    isWaiting = false;
    const query = { name: 'commit_notice', text: 'select pg_notify($1, $2)', values: [CHANNEL, origin] };
    await connection.query(query).catch(() => undefined);
  };
  const send = (): void => {
    isWaiting = true;
    if (pause !== undefined || isClosed) return;
    void notify();
    pause = setTimeout(() => {
      pause = undefined;
      if (isWaiting) send();
    }, PAUSE_MS).unref();
  };
  const notices: CommitNotices = {
    send,
    listen: (heard) => {
      const isFirst = listener === undefined;
      listener = heard;
      if (!isFirst) return;
      if (current === undefined) void connect();
      else void startListening(current);
    },
    isListening: () => isListening,
    close: async () => {
      isClosed = true;
      clearTimeout(pause);
      clearTimeout(reconnection);
      clearTimeout(nextCheck);
      if (isWaiting) await notify();
    },
  };
  return { notices, connection };
};
