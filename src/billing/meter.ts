/** One call of an operation, as far as its compute units go. */
export interface Call {
  readonly organizationId: string;
  /** Of the API key that was sent. */
  readonly keyId: string;
  /** What the organization subscribes to; null: the default plan. */
  readonly planId: string | null;
  /** The operation's id: `lookup-user`. */
  readonly operation: string;
  /** Compute units, a whole number; 0: costs nothing and is never refused. */
  readonly units: number;
}

/** How an organization stands in its running period, at the moment when it is read. */
export interface Standing {
  /** Compute units used in the running period, with those of calls that are answered now. */
  readonly used: number;
  /** Compute units of the plan in a period; null: unlimited. */
  readonly limit: number | null;
  /** When the period ends and `used` is 0 again. */
  readonly resetsAt: Date;
}

/** Counts compute units, and refuses calls beyond the plan where that is asked for (`QUOTA_MODE=enforce`). */
export interface Meter {
  /**
   * Before the work of a call that is otherwise allowed and valid. Each call that `begin` let through is told to `end` once.
   * @returns what is told in headers, or nothing when nothing is known yet.
   * @throws AppError of kind `payment_required`, code `PaymentRequired`, when the units are used up (enforce only).
   */
  begin(call: Call): Standing | undefined | Promise<Standing | undefined>;
  /**
   * Once, when the answer is out. Waits for nothing.
   * @param units what the call costs in the end, at most `call.units`; null: it failed here and is not counted
   */
  end(call: Call, units: number | null): void;
  /** Begins to write counts down, every second. */
  start(): void;
  /**
   * Writes down what was counted, gives back what was reserved. After the servers stopped, before the database closes:
   * work that goes on for callers who hung up is waited for, five seconds at most.
   */
  stop(): Promise<void>;
}
