/** What decides the state of a key that an app asks accounts to take. */
export interface KeyFacts {
  /** Whether an account holds the key now; null while none ever did. */
  readonly active: boolean | null;
  /** End of the latest signed key request; null when there was none. */
  readonly deadline: Date | null;
}

export type KeyState = 'generated' | 'pending_approval' | 'approved' | 'revoked';

/**
 * The state is nowhere stored: it follows from what the network says of the key, and from the clock.
 * A request past its deadline reads `revoked` until a new one is signed (GAPS section 2).
 */
export const stateOf = ({ active, deadline }: KeyFacts, now: number): KeyState => {
  if (active !== null) return active ? 'approved' : 'revoked';
  if (deadline === null) return 'generated';
  return deadline.getTime() > now ? 'pending_approval' : 'revoked';
};
