import pg from 'pg';
import type { PipelinedClient } from './pipelined-client.js';

/**
 * Notices between the processes that share a database: something was committed. They save polls, and nothing depends on
 * them: a notice may be lost with a connection or a process.
 */
export interface CommitNotices {
  /** Gives the other processes a notice, soon and at most ten times a second. Never fails. */
  send(): void;
  /** Connects, and calls the listener after each notice of another process and after each connection. */
  listen(listener: () => void): void;
  /** Whether notices of other processes arrive; false while there is no connection. */
  isListening(): boolean;
  /** Sends the notice that is waiting, and disconnects. */
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

/**
 * Notices through LISTEN and NOTIFY. They are sent after the commit: in the transaction, a NOTIFY would make commits wait
 * for each other, and with eight writers halved their rate (docs/decisions/0062-idle-processes.md).
 * @param sender the connection for NOTIFY
 */
export const createCommitNotices = (options: pg.ClientConfig, sender: PipelinedClient): CommitNotices => {
  /** Tells this process's notices from others'. */
  const origin = crypto.randomUUID();
  let pause: NodeJS.Timeout | undefined;
  let isWaiting = false;
  let reconnection: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  let isConnected = false;
  let isClosed = false;

  const notify = async (): Promise<void> => {
    isWaiting = false;
    const query = { name: 'commit_notice', text: 'select pg_notify($1, $2)', values: [CHANNEL, origin] };
    await sender.query(query).catch(() => undefined);
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

  const listen = (listener: () => void): void => {
    const opened = new pg.Client(options);
    client = opened;
    const lost = (): void => {
      if (client !== opened || isClosed) return;
      client = undefined;
      isConnected = false;
      opened.end().catch(() => undefined);
      reconnection = setTimeout(() => listen(listener), RECONNECT_MS).unref();
    };
    opened.on('error', lost);
    opened.on('end', lost);
    opened.on('notification', ({ payload }) => {
      if (payload !== origin) listener();
    });
    const connected = async (): Promise<void> => {
      await opened.connect();
      await opened.query(`listen ${CHANNEL}`);
      isConnected = client === opened && !isClosed;
      // Notices of the time without a connection are lost.
      listener();
    };
    connected().catch(lost);
  };

  return {
    send,
    listen,
    isListening: () => isConnected,
    close: async () => {
      isClosed = true;
      clearTimeout(pause);
      clearTimeout(reconnection);
      if (isWaiting) await notify();
      await client?.end().catch(() => undefined);
    },
  };
};
