/** A failed attempt to deliver an event or a notification. */
export interface FailedAttempt {
  readonly failure: string;
  readonly nextAt: Date;
  readonly now: Date;
  /** As it was claimed: what was made due again during its attempt stays due. */
  readonly leasedUntil: Date;
}
