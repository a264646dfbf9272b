/**
 * How long a response waits for a transaction to be mined, in milliseconds: the networks make a block every two
 * seconds, and a request should take at most ten.
 */
export const RECEIPT_WAIT_MS = 8000;
