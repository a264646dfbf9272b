/**
 * How long an answer waits for blocks, in milliseconds: with what goes before, requests stay within ten seconds. Blocks
 * of the networks come every two.
 */
export const RECEIPT_WAIT_MS = 8000;
