/** The data from which the state of a requested key follows. */
export interface KeyStatusInput {
  /** Whether an account has the key now; null if none ever had. */
  readonly active: boolean | null;
  /** Deadline of the latest signed key request; null without one. */
  readonly deadline: Date | null;
}

export type KeyState = 'generated' | 'pending_approval' | 'approved' | 'revoked';

/**
 * The state is not stored: it follows from the network's data and the clock. After the deadline of a request it is
 * `revoked` until a new one is signed (GAPS section 2).
 */
export const stateOf = ({ active, deadline }: KeyStatusInput, now: number): KeyState => {
  if (active !== null) return active ? 'approved' : 'revoked';
  if (deadline === null) return 'generated';
  return deadline.getTime() > now ? 'pending_approval' : 'revoked';
};
