import type { Socket } from 'node:net';
import pg from 'pg';
import type { ServerConnections } from './connections.js';
import { askServer } from './lost-connection.js';

/** Milliseconds that a connection has for its proper end; then its socket is closed. */
const END_MS = 2_000;
/** Milliseconds without a response after which the server is asked what it does, and between two questions. */
const ASKED_AFTER_MS = 4_000;
const ASKED_AGAIN_MS = 1_000;
/** Statements with a longer time limit, or none, are asked for. */
const SHORT_LIMIT_MS = 10_000;
/** Milliseconds for which a new connection waits for a host that fits, as after a failover. */
const SEARCH_MS = 5_000;
/** Milliseconds for a new connection, and until a statement is asked for, while the process stops. */
const CLOSING_CONNECT_MS = 2_000;
const CLOSING_ASKED_AFTER_MS = 500;

type Callback = (error: Error | null, client?: unknown) => void;

const timedOut = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

/** The driver cannot make a connection. Its code is PostgreSQL's for a client that cannot establish one. */
class CannotConnect extends Error {
  override readonly name = 'CannotConnect';
  readonly code = '08001';
}

/** @returns why the driver cannot make a connection of its options, as without a file of a certificate that they name */
const problemOf = (config: pg.ClientConfig): Error | undefined => {
  try {
    new pg.Client(config);
    return undefined;
  } catch (cause) {
    return new CannotConnect((cause as Error).message, { cause });
  }
};

/**
 * A connection to a server that is given up within ten seconds when it was lost without notice: TCP itself would take a
 * quarter of an hour, and a proxy between may confirm everything. Statements may run for hours, so another connection asks
 * whether the server still works on them.
 */
class ServerClient extends pg.Client {
  /** Why it cannot connect at all. */
  readonly #problem: Error | undefined;
  readonly #config: pg.ClientConfig;
  readonly #connections: ServerConnections;
  #isEnded = false;
  /** Of the driver: whether no statement is under way; absent before the first response. */
  declare readonly readyForQuery?: boolean;
  declare readonly getTransactionStatus: () => 'I' | 'T' | 'E' | null;

  constructor(config: pg.ClientConfig, connections: ServerConnections) {
    // A pool makes connections whenever one is lost, where nobody would catch the error.
    const problem = problemOf(config);
    super(problem ? {} : config);
    this.#problem = problem;
    this.#config = config;
    this.#connections = connections;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error) => (error ? reject(error) : resolve(this)));
      });
    }
    void this.#connect(callback);
    return undefined;
  }

  async #connect(callback: Callback): Promise<void> {
    const connections = this.#connections;
    if (this.#problem) return callback(this.#problem);
    if (connections.isUnreachable) return callback(timedOut('the server does not respond'));
    try {
      Object.assign(this, await connections.search?.find(SEARCH_MS, () => connections.isClosing));
    } catch (error) {
      connections.isUnreachable = connections.isClosing;
      return callback(error as Error);
    }
    // The pool closes what takes too long, also before it is open.
    if (this.#isEnded || this.connection.stream.destroyed)
      return callback(timedOut('the search for a server took too long'));
    connections.add(this);
    this.connection.stream.once('close', () => connections.delete(this));
    this.once('connect', () => {
      connections.place = { host: this.host, port: this.port };
    });
    super.connect(callback);
    if (connections.isClosing) this.closeSoon();
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.#isEnded = true;
    const socket = this.connection.stream;
    const timer = setTimeout(() => socket.destroy(), this.#connections.isUnreachable ? 0 : END_MS).unref();
    socket.once('close', () => clearTimeout(timer));
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  override query(...args: unknown[]): never {
    // The driver's overloads cannot be repeated here. It uses callbacks itself, only for statements with a short limit.
    const response: unknown = (super.query as (...given: unknown[]) => unknown).apply(this, args);
    const { query_timeout = Number.POSITIVE_INFINITY } = this.#config;
    const isLong = query_timeout > SHORT_LIMIT_MS || this.#connections.isClosing;
    if (isLong && response instanceof Promise) this.#watch(response);
    return response as never;
  }

  closeSoon(): void {
    if (this.readyForQuery === undefined) this.#connectSoon();
    else if (!this.readyForQuery) void this.#closeIfLost();
    else if (this.getTransactionStatus() === 'I') this.#closeIdle();
  }

  /** The pool would give it to the next statement until it hears, a moment later, that the socket is closed. */
  #closeIdle(): void {
    if (this.listenerCount('error') > 0) this.emit('error', new Error('closed, because the process stops'));
    this.connection.stream.destroy();
  }

  async #closeIfLost(): Promise<void> {
    if (await this.#isLost()) this.#giveUp();
  }

  #connectSoon(): void {
    const socket = this.connection.stream;
    const timer = setTimeout(() => {
      this.#connections.isUnreachable = true;
      socket.destroy(timedOut('the server does not respond'));
    }, CLOSING_CONNECT_MS).unref();
    const clear = (): void => clearTimeout(timer);
    this.once('connect', clear);
    socket.once('close', clear);
  }

  /** Gives the connection up if the server, asked twice, does not work on a statement although no response came. */
  #watch(response: Promise<unknown>): void {
    const { isClosing } = this.#connections;
    let timer = setTimeout(() => void ask(false), isClosing ? CLOSING_ASKED_AFTER_MS : ASKED_AFTER_MS).unref();
    let isOver = false;
    const stop = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    response.then(stop, stop);
    const ask = async (isDoubted: boolean): Promise<void> => {
      const isLost = await this.#isLost();
      if (isOver) return;
      if (isLost && (isDoubted || this.#connections.isClosing)) this.#giveUp();
      else timer = setTimeout(() => void ask(isLost), ASKED_AGAIN_MS).unref();
    };
  }

  /** Whether a statement is under way of which the server does not know, or the server does not respond at all. */
  async #isLost(): Promise<boolean> {
    const socket = this.connection.stream as Socket;
    const { bytesRead } = socket;
    const server = await askServer(this, this.#config, this.#connections.isPooler);
    if (server === 'away' && this.#connections.isClosing) this.#connections.isUnreachable = true;
    return server !== 'working' && !this.readyForQuery && socket.bytesRead === bytesRead;
  }

  #giveUp(): void {
    this.connection.stream.destroy(timedOut('the response to a statement was lost'));
  }
}

/** @returns the type of connections that belong to those given, for a pool */
export const serverClientType = (connections: ServerConnections) =>
  class extends ServerClient {
    constructor(config: pg.ClientConfig = {}) {
      super(config, connections);
    }
  };

/** Options of connections, with the type that makes them. */
export type ServerClientConfig = pg.ClientConfig & { readonly Client: ReturnType<typeof serverClientType> };
