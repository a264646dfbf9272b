/** How long a response waits for a chain, in milliseconds. A request should take at most ten seconds. */
export interface ResponseTimeouts {
  /** For a transaction to be mined: the networks make a block every two seconds. */
  readonly receipt: number;
  /** For the balances of all possible owners of tokens together. */
  readonly owners: number;
}

export const RESPONSE_TIMEOUTS: ResponseTimeouts = { receipt: 8000, owners: 8000 };
