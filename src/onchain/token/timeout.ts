/** Timeouts of reading tokens, in milliseconds. */
export interface TokenTimeouts {
  /** For reading the tokens of one network. Prices are read after it, and both within the ten seconds of a request. */
  readonly network: number;
  /** For all sources of prices together. */
  readonly prices: number;
  /** For all requests to the price API. */
  readonly priceApi: number;
}

export const TOKEN_TIMEOUTS: TokenTimeouts = { network: 5000, prices: 3000, priceApi: 2500 };
