import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { checkQuery } from '../client-check.js';
import { PipelinedClient, type Query } from '../pipelined-client.js';
import type { ServerClientConfig } from '../server/client.js';
import { MAX_STALENESS_MS, MAX_WAIT_MS, type Mark } from './mark.js';
import { type Need, seenElsewhere } from './need.js';
import { SERVER_STATE, type ServerState, serverStateOf } from './server-state.js';
import { closeIfSilent } from './silence.js';

/** Milliseconds between two questions for the position, which grow while a replica does not reach a mark. */
const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;
/** Milliseconds after which a connection whose server cannot be read from is given up for another one. */
const RENEWED_AFTER_MS = 10_000;

/** The problem of a primary, which a replica becomes when it is promoted. */
export const NO_STANDBY = 'is no standby';

/** The problem of a session at first. */
export const NOT_ASKED = 'was not asked yet';
const NO_ANSWER = 'does not answer';
const NOT_PROVEN = 'is not known to follow the primary';

/** @returns why the server may not be read from; undefined: it is a standby */
const problemOf = ({ isStandby }: ServerState): string | undefined => (isStandby ? undefined : NO_STANDBY);

/** A server may not be read from, or has not replayed enough. */
export class NotReplayed extends Error {
  override readonly name = 'NotReplayed';
}

/**
 * Checks a connection of its own, which may lead to another server than the shared one behind the same address.
 * @param mark that it must have reached
 * @throws NotReplayed, or the driver's error
 */
export const requireReplayed = async (client: pg.ClientBase, mark: Mark): Promise<void> => {
  const state = serverStateOf(await client.query(checkQuery(SERVER_STATE)));
  const hasReached = state.cluster === mark.cluster && (state.position ?? 0) >= mark.position;
  if (problemOf(state) !== undefined || !hasReached) throw new NotReplayed('the replica is behind');
};

/**
 * A shared connection to a replica, which knows how much of the log its own server had replayed when it was last asked.
 * The position belongs to the connection, not to the address: a server that was restarted may be back at an earlier
 * position, and behind a load balancer each connection may lead to another server.
 */
export class ReplicaSession {
  readonly #client: PipelinedClient;
  readonly #changed: () => void;
  #current: pg.Client | undefined;
  /** Stands for the connection: what one has said is not true of the next. */
  #connection: object = {};
  #reached: Mark | undefined;
  /** Marks that it has not reached yet, oldest first. */
  #ahead: Mark[] = [];
  #position = 0;
  /** Whether its log is known to be a part of the primary's. */
  #isProven = false;
  /** The end of its log, which proves that as soon as the primary is there, too. */
  #end: number | undefined;
  #latest: Mark | undefined;
  /** `performance.now()` since when the primary has had something that is not known to be replayed here. */
  #behindSince: number | undefined;
  #problem: string | undefined = NOT_ASKED;
  /** The problem until the connection is proven. */
  #unproven = NOT_PROVEN;
  /** `performance.now()` since when the connection has had a problem. */
  #uselessSince: number | undefined;
  #failure: Error | undefined;
  #isAsking = false;
  #isClosed = false;

  /** @param changed called when it has reached a mark, or can no longer be used */
  constructor(options: ServerClientConfig, changed: () => void) {
    this.#changed = changed;
    this.#client = new PipelinedClient(options, {
      opened: (client) => {
        this.#current = client;
      },
      dropped: (error) => {
        this.#leave();
        this.#lost(error);
      },
    });
  }

  /** Why it is not read from; undefined: it is. */
  get problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    if (!this.#isProven) return this.#unproven;
    return this.#isLate(MAX_STALENESS_MS) ? 'is behind' : undefined;
  }

  /** Of the last connection that was lost or could not be opened. It may name hosts and users. */
  get failure(): Error | undefined {
    return this.#problem === NO_ANSWER ? this.#failure : undefined;
  }

  /** Bytes of the log that it has not replayed, as of the last time that it and the primary were asked. */
  get lagBytes(): number {
    return Math.max(0, (this.#latest?.position ?? 0) - this.#position);
  }

  get lagSeconds(): number {
    return this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1000;
  }

  /** Whether it will soon have reached a new mark. */
  get isWorthWaitingFor(): boolean {
    return this.#problem === undefined && this.#isProven && !this.#isLate(MAX_WAIT_MS);
  }

  /** Another one with each connection. */
  get connection(): object {
    return this.#connection;
  }

  /** @returns a mark that it has reached and that includes what is needed, if there is one that is not too old */
  reached(need: Need): Mark | undefined {
    const mark = this.#reached;
    if (mark === undefined || mark.moment < need.moment) return undefined;
    if (mark.asOf < seenElsewhere(need, this.#connection)) return undefined;
    return performance.now() - mark.asOf < MAX_STALENESS_MS ? mark : undefined;
  }

  /** Finds out when it has reached the mark. */
  follow(mark: Mark): void {
    if (this.#latest?.timeline !== mark.timeline) this.#doubt();
    if (this.#end !== undefined && mark.position >= this.#end) this.#isProven = true;
    this.#latest = mark;
    this.#behindSince ??= mark.asOf;
    this.#ahead.push(mark);
    if (!this.#isAsking) void this.#ask();
  }

  /** Sends a read. Only for a session that has reached what the read needs: another one would open a connection. */
  query(query: Query): Promise<pg.QueryResult> {
    return this.#client.query(query);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#client.close();
  }

  #isLate(ms: number): boolean {
    return this.#behindSince !== undefined && performance.now() - this.#behindSince > ms;
  }

  /** Asks for the position until all marks are reached or too old. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    let pause = SHORTEST_PAUSE_MS;
    while (this.#ahead.length > 0 && !this.#isClosed) {
      const count = this.#ahead.length;
      if (!(await this.#askOnce())) this.#ahead = [];
      const oldest = performance.now() - MAX_STALENESS_MS;
      this.#ahead = this.#ahead.filter(({ asOf }) => asOf > oldest);
      if (this.#ahead.length === 0) break;
      pause = this.#ahead.length < count ? SHORTEST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
      await wait(pause, undefined, { ref: false });
    }
    this.#isAsking = false;
  }

  /** @returns false if it cannot be read from */
  async #askOnce(): Promise<boolean> {
    const connection = this.#connection;
    const timeline = this.#latest?.timeline;
    // Reads that are under way there go to the primary then.
    const stopWatching = closeIfSilent(() => this.#current?.connection.stream as Socket | undefined);
    try {
      const state = serverStateOf(await this.#client.query({ name: 'server_state', text: SERVER_STATE, values: [] }));
      // An answer from before a promotion was known does not say what else arrived.
      if (connection === this.#connection && timeline === this.#latest?.timeline) {
        this.#answered(state);
        this.#renewIfUseless();
      }
    } catch (error) {
      if (connection === this.#connection) {
        this.#lost(error as Error);
        this.#renewIfUseless();
      }
    } finally {
      stopWatching();
    }
    return this.#problem === undefined;
  }

  #answered(state: ServerState): void {
    const position = state.position ?? 0;
    const isOther = state.cluster !== this.#latest?.cluster;
    this.#problem = isOther ? 'has another database than the primary' : problemOf(state);
    this.#position = position;
    if (this.#problem !== undefined) {
      this.#reached = undefined;
      this.#changed();
      return;
    }
    if (!this.#isProven) {
      if (this.#end !== undefined) this.#unproven = NOT_PROVEN;
      this.#end = Math.max(position, state.received ?? 0);
      this.#ahead = [];
      return;
    }
    const isReached = (mark: Mark): boolean => mark.position <= position;
    const reached = this.#ahead.filter(isReached).at(-1);
    if (reached === undefined) return;
    this.#reached = reached;
    this.#ahead = this.#ahead.filter((mark) => !isReached(mark));
    this.#behindSince = this.#ahead[0]?.asOf;
    this.#changed();
  }

  /**
   * A promotion may have left out the end of the log. A server that had received that end can follow no further, but its
   * position looks as good as that of the others until the new primary has written as much: from then on it is behind.
   */
  #doubt(): void {
    this.#isProven = false;
    this.#end = undefined;
    this.#reached = undefined;
    this.#ahead = [];
  }

  /**
   * An address may lead to another server by now, but an open connection stays with its own: with one that was promoted, or
   * that replays nothing, for ever. The problem stays until the next connection shows whether it has one.
   */
  #renewIfUseless(): void {
    const { problem } = this;
    if (problem === undefined) {
      this.#uselessSince = undefined;
      return;
    }
    const now = performance.now();
    this.#uselessSince ??= now;
    if (now - this.#uselessSince < RENEWED_AFTER_MS) return;
    this.#forget();
    this.#unproven = problem;
    this.#leave();
    this.#client.renew();
  }

  #lost(failure: Error): void {
    this.#forget();
    this.#unproven = NOT_PROVEN;
    this.#problem = NO_ANSWER;
    this.#failure = failure;
    this.#changed();
  }

  /** Forgets what the connection has said. */
  #forget(): void {
    this.#connection = {};
    this.#doubt();
  }

  /** Forgets the connection itself. */
  #leave(): void {
    this.#current = undefined;
    this.#uselessSince = undefined;
  }
}
