/** One call of an operation that costs compute units. */
export interface Call {
  readonly organizationId: string;
  /** API key of the request. */
  readonly keyId: string;
  /** Plan of the organization; null: the default plan. */
  readonly planId: string | null;
  /** The operation's id: `lookup-user`. */
  readonly operation: string;
  /** Compute units, a whole number; a call of 0 units is never rejected. */
  readonly units: number;
}

/** Usage of an organization in its running period. The members are computed when they are read. */
export interface Usage {
  /** Compute units, including those of calls in progress. */
  readonly used: number;
  /** Compute units of the plan in a period; null: unlimited. */
  readonly limit: number | null;
  /** End of the period, when `used` returns to 0. */
  readonly resetsAt: Date;
}

/** Counts compute units, and with `CASTELLAN_QUOTA_MODE=enforce` rejects calls that exceed the plan. */
export interface Meter {
  /**
   * Call before handling an authorized, valid request; every accepted call must be passed to `end` once.
   * @returns the usage for the response headers, or undefined before it is first loaded
   * @throws AppError of kind `payment_required`, code `PaymentRequired`, when the plan has too few units left
   */
  begin(call: Call): Usage | undefined | Promise<Usage | undefined>;
  /**
   * Call when the response is finished. Returns without waiting.
   * @param units final cost of the call, at most `call.units`; null: the service failed, so the call is not counted
   */
  end(call: Call, units: number | null): void;
  /** Starts to write counts every second. */
  start(): void;
  /**
   * Writes the remaining counts. Call it after the servers stopped and before the database closes. It waits up to five
   * seconds for calls in progress, because a client that disconnected does not end its call.
   */
  stop(): Promise<void>;
}

/** Counts nothing and rejects nothing: `CASTELLAN_QUOTA_MODE=off`. */
export const noopMeter: Meter = {
  begin: () => undefined,
  end: () => undefined,
  start: () => undefined,
  stop: async () => undefined,
};
