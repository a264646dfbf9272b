import type { FallbackReason } from './fallback.js';
import { MAX_WAIT_MS, type Mark } from './mark.js';
import { Marker, type MarkSource } from './marker.js';
import { type Need, seenElsewhere } from './need.js';
import { createReplica, type Replica, type ReplicaConnections } from './replica.js';
import { ReportLimit } from './report-limit.js';
import { type Choice, createResponseReader, type FreshReader, type ReadRoute } from './response-reader.js';
import { NO_STANDBY, NOT_ASKED, type ReplicaSession } from './session.js';

/** The problem of all replicas while the primary does not say where its log ends. */
export const NO_MARK = 'cannot be compared with the primary';

/** The state of a replica. */
export interface ReplicaState {
  /** `host:port`. */
  readonly name: string;
  /** Why it is not read from; undefined: it is. */
  readonly problem: string | undefined;
  /** Why it, or the primary, does not answer; it may name hosts and users. */
  readonly failure: Error | undefined;
  /** Whether it is a primary now, as one of several hosts is that change their roles. */
  readonly isPrimary: boolean;
  /** For how long it has lacked something that the primary had, and how much, as of the last time that both were asked. */
  readonly lagSeconds: number;
  readonly lagBytes: number;
}

export interface ReplicaPoolOptions extends MarkSource, Omit<ReadRoute, 'find'> {
  /** Each of one host. */
  readonly urls: readonly string[];
  readonly connections: ReplicaConnections;
  /**
   * Called when a replica is taken into use, or left out because of a problem.
   * @param changes of the problem since the last call: more than one if it changes so often that not every call is made
   */
  readonly changed: (state: ReplicaState, changes: number) => void;
}

interface Waiter {
  readonly need: Need;
  settle(found: Choice | FallbackReason): void;
}

/**
 * Reads from replicas that are as fresh as those from the primary.
 *
 * A _mark_ says what a replica must have replayed to show everything that this process knew at a moment of the tag clock:
 * the position at which the primary's log ended after that moment. A response is read from a replica that has reached a
 * mark of its own moment or a later one, and of the last 750 ms. So what is cached from a replica includes every change
 * whose invalidation was applied before, and no response is older than a second.
 */
export class ReplicaPool {
  readonly #replicas: readonly Replica[];
  readonly #choices: readonly Choice[];
  readonly #marker: Marker;
  readonly #route: ReadRoute;
  readonly #changed: ReplicaPoolOptions['changed'];
  readonly #waiting = new Set<Waiter>();
  readonly #reports = new ReportLimit();
  #turn = 0;
  #isStopped = false;

  constructor(options: ReplicaPoolOptions) {
    const { urls, connections, changed } = options;
    this.#changed = changed;
    this.#replicas = urls.map((url) => createReplica(url, connections, () => this.#sessionChanged()));
    this.#choices = this.#replicas.flatMap((replica) => replica.sessions.map((session) => ({ replica, session })));
    this.#marker = new Marker(options, { made: (mark) => this.#follow(mark), failed: () => this.#report() });
    this.#route = { ...options, find: (need) => this.#find(need) };
  }

  /** Begins to connect. Until a replica is known to be fresh, the primary answers. */
  start(): void {
    this.#marker.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#marker.stop();
    for (const replica of this.#replicas) replica.closeSoon();
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  states(): readonly ReplicaState[] {
    const noMark = this.#marker.failure;
    return this.#replicas.map(({ name, sessions }) => {
      // Behind one address may be several servers: it is a primary only if all sessions are on one.
      const isUsed = sessions.find(({ problem }) => problem === undefined);
      const isStandby = sessions.find(({ problem }) => problem !== NO_STANDBY);
      const { problem, failure, lagSeconds, lagBytes } = isUsed ?? isStandby ?? (sessions[0] as ReplicaSession);
      const isPrimary = problem === NO_STANDBY;
      const why = noMark && !isPrimary ? { problem: NO_MARK, failure: noMark } : { problem, failure };
      return { name, ...why, isPrimary, lagSeconds, lagBytes };
    });
  }

  /** @returns what sends the reads of a response */
  open(): FreshReader {
    return createResponseReader(this.#route);
  }

  #follow(mark: Mark): void {
    // Reads that wait take the session that is first to have reached the mark, which should not always be the same.
    const first = this.#turn % this.#choices.length;
    for (const { session } of [...this.#choices.slice(first), ...this.#choices.slice(0, first)]) session.follow(mark);
    this.#report();
  }

  async #find(need: Need): Promise<Choice | FallbackReason> {
    this.#marker.use();
    const found = this.#choose(need);
    if (found !== undefined) return found;
    if (!this.#isWorthWaiting()) return 'none';
    this.#marker.want(need.moment, seenElsewhere(need));
    return new Promise((resolve) => {
      const waiter: Waiter = {
        need,
        settle: (result) => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(result);
        },
      };
      const timer = setTimeout(() => waiter.settle('behind'), MAX_WAIT_MS);
      this.#waiting.add(waiter);
    });
  }

  /** @returns the next session in turn that has reached what is needed */
  #choose(need: Need): Choice | undefined {
    const count = this.#choices.length;
    this.#turn = (this.#turn + 1) % count;
    for (let at = 0; at < count; at++) {
      const choice = this.#choices[(this.#turn + at) % count] as Choice;
      if (choice.session.reached(need) !== undefined) return choice;
    }
    return undefined;
  }

  #isWorthWaiting(): boolean {
    return this.#marker.failure === undefined && this.#choices.some(({ session }) => session.isWorthWaitingFor);
  }

  #sessionChanged(): void {
    for (const waiter of [...this.#waiting]) {
      const found = this.#choose(waiter.need);
      if (found !== undefined) waiter.settle(found);
      else if (!this.#isWorthWaiting()) waiter.settle('none');
    }
    this.#report();
  }

  /** Says which replicas have come into use or were left out since the last time. */
  #report(): void {
    if (this.#isStopped) return;
    for (const state of this.states()) {
      const changes = state.problem === NOT_ASKED ? 0 : this.#reports.countChanges(state.name, state.problem);
      if (changes > 0) this.#changed(state, changes);
    }
  }
}
