import { BaseError, bytesToHex, RpcRequestError } from 'viem';
import { AppError } from '../error.js';
import type { ChainClient } from './network.js';
import { cleanText } from './text.js';

/** What a node says to a signed transaction. */
export type Verdict =
  /** It is in the pool, now or already. */
  | { readonly kind: 'taken' }
  /** A transaction with this nonce is in a block. */
  | { readonly kind: 'nonce_used' }
  /** Another transaction with this nonce waits, at a price that this one does not replace. */
  | { readonly kind: 'outbid' }
  /** It is not in the pool, and the same bytes will not be. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** Nobody knows, or not now: the same bytes may be taken later. */
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string };

/** Longest text of a node that is kept, in characters. */
const MAX_WORDS = 200;

/** Code of an unknown outcome: no endpoint answered. */
export const UNANSWERED = 'Unanswered';

/**
 * The words of the nodes that are in use, as there is no code for each: geth and its descendants core/txpool/errors.go,
 * core/error.go; reth crates/transaction-pool/src/error.rs; Nethermind AcceptTxResult.cs; Erigon
 * txpoolcfg/discard_reason.go; anvil crates/anvil/src/eth/error.rs.
 */
const TAKEN = /already (known|imported|exists|in)|known transaction|alreadyknown|already_exists/i;
const NONCE_USED = /nonce too low|nonce is too low|oldnonce|old nonce/i;
const OUTBID = /replacement.*underpriced|replacementnotallowed|could not replace|too low to replace|replace.*price/i;
/** The price or the place in the pool: another time, or another price, will do. */
const LATER =
  /underpriced|less than block base fee|base ?fee|feetoolow|fee too low|gas price too low|pool is full|txpool is full|limit reached|rate.?limit|too many|busy|overload|internal|timed? ?out|try again|nonce too high|noncegap|nonce gap/i;
const FUNDS =
  /insufficient (funds|balance)|insufficientfunds|(out|lack) ?of ?funds|not enough funds|doesn't have enough funds|overshot/i;

/** JSON-RPC's own codes: the request was not understood, or the node is broken. */
const isProtocolFault = (code: number): boolean => code <= -32_600 && code >= -32_700;

/** @returns whether a node has it, as it says itself after others were silent. */
const isTakenAfterAll = ({ cause }: AppError): boolean =>
  cause instanceof BaseError && TAKEN.test(answerOf(cause)?.details ?? '');

/** @returns what a node itself said; viem gives codes of its own to what no node said. */
const answerOf = (error: unknown): RpcRequestError | undefined => {
  const said = error instanceof BaseError ? error.walk((one) => one instanceof RpcRequestError) : null;
  return said instanceof RpcRequestError ? said : undefined;
};

/** @returns what a failed `eth_sendRawTransaction` means. */
export const verdictOf = (error: unknown): Verdict => {
  const answer = answerOf(error);
  if (!answer) {
    if (error instanceof AppError && isTakenAfterAll(error)) return { kind: 'taken' };
    const message = error instanceof AppError ? error.message : 'The network did not answer.';
    return { kind: 'unknown', code: UNANSWERED, message };
  }
  const { code, details } = answer;
  const message = cleanText(details, MAX_WORDS);
  if (TAKEN.test(details)) return { kind: 'taken' };
  if (NONCE_USED.test(details)) return { kind: 'nonce_used' };
  if (OUTBID.test(details)) return { kind: 'outbid' };
  if (FUNDS.test(details)) return { kind: 'refused', code: 'InsufficientFunds', message };
  if (LATER.test(details) || isProtocolFault(code)) return { kind: 'unknown', code: 'NotTaken', message };
  return { kind: 'refused', code: 'Refused', message };
};

/** Hands a signed transaction to the network. Never throws. */
export const broadcast = async (client: ChainClient, raw: Uint8Array): Promise<Verdict> => {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [bytesToHex(raw)] });
    return { kind: 'taken' };
  } catch (error) {
    return verdictOf(error);
  }
};
