/** What a response has shown so far: its later statements must not show less. */
export interface Seen {
  /** The connection that gave the last answer; undefined: there was none. */
  readonly connection: object | undefined;
  /** `performance.now()` at that answer, and at the last one that another connection gave. */
  readonly at: number;
  readonly elsewhereAt: number;
}

export const NOTHING_SEEN: Seen = {
  connection: undefined,
  at: Number.NEGATIVE_INFINITY,
  elsewhereAt: Number.NEGATIVE_INFINITY,
};

/** @returns what a response has shown when a connection has just answered */
export const withAnswer = (seen: Seen, connection: object): Seen => ({
  connection,
  at: performance.now(),
  elsewhereAt: connection === seen.connection ? seen.elsewhereAt : seen.at,
});

/** What a statement of a response needs to see. */
export interface Need {
  /** Of the tag clock. */
  readonly moment: number;
  readonly seen: Seen;
}

/**
 * @param connection over which the statement may be sent: one server shows ever more
 * @returns `performance.now()` at the last answer of another connection. Whatever that had replayed, the primary had: a mark
 *   that was asked for later includes it.
 */
export const seenElsewhere = ({ seen }: Need, connection?: object): number =>
  connection === seen.connection ? seen.elsewhereAt : seen.at;
