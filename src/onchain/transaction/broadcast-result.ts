import { BaseError, bytesToHex, RpcRequestError } from 'viem';
import { cleanText } from '../../clean-text.js';
import { AppError } from '../../error.js';
import type { ChainClient } from '../network.js';

/** A node's response to a broadcast. */
export type BroadcastResult =
  /** The transaction is in the pool, possibly since before. */
  | { readonly kind: 'taken' }
  /** A mined transaction has this nonce. */
  | { readonly kind: 'nonce_used' }
  /** The pool has another transaction with this nonce, at a price too high to be replaced. */
  | { readonly kind: 'outbid' }
  /** The transaction was rejected, and the same bytes will be rejected again. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** Unknown or temporary: the same bytes may be accepted later. */
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string };

/** Maximum length of a node's error message in the database. */
export const MAX_MESSAGE_CHARACTERS = 200;

/** Code of an unknown outcome because no endpoint responded. */
export const NO_RESPONSE = 'Unanswered';

/**
 * Error messages of the common nodes, because there are no codes for them: geth and its descendants
 * core/txpool/errors.go, core/error.go; reth crates/transaction-pool/src/error.rs; Nethermind AcceptTxResult.cs; Erigon
 * txpoolcfg/discard_reason.go; anvil crates/anvil/src/eth/error.rs.
 */
const ACCEPTED = /already (known|imported|exists|in)|known transaction|alreadyknown|already_exists/i;
const NONCE_USED = /nonce too low|nonce is too low|oldnonce|old nonce/i;
const UNDERPRICED =
  /replacement.*underpriced|replacementnotallowed|could not replace|too low to replace|replace.*price/i;
/** The price is too low or the pool is full: the transaction may be accepted later, or at another price. */
const LATER =
  /underpriced|less than block base fee|base ?fee|feetoolow|fee too low|gas price too low|pool is full|txpool is full|limit reached|rate.?limit|too many|busy|overload|internal|timed? ?out|try again|nonce too high|noncegap|nonce gap/i;
const FUNDS =
  /insufficient (funds|balance)|insufficientfunds|(out|lack) ?of ?funds|not enough funds|doesn't have enough funds|overshot/i;

/** JSON-RPC's own codes: the node did not understand the request, or failed internally. */
const isProtocolError = (code: number): boolean => code <= -32_600 && code >= -32_700;

/** @returns whether the last endpoint reports the transaction as already known, after the others timed out */
const isAcceptedAnyway = ({ cause }: AppError): boolean =>
  cause instanceof BaseError && ACCEPTED.test(answerOf(cause)?.details ?? '');

/** @returns the error that a node responded with; viem uses codes of its own for other errors */
const answerOf = (error: unknown): RpcRequestError | undefined => {
  const nodeError = error instanceof BaseError ? error.walk((one) => one instanceof RpcRequestError) : null;
  return nodeError instanceof RpcRequestError ? nodeError : undefined;
};

/** Interprets the error of an `eth_sendRawTransaction` call. */
export const broadcastResultOf = (error: unknown): BroadcastResult => {
  const answer = answerOf(error);
  if (!answer) {
    if (error instanceof AppError && isAcceptedAnyway(error)) return { kind: 'taken' };
    const message = error instanceof AppError ? error.message : 'The network did not answer.';
    return { kind: 'unknown', code: NO_RESPONSE, message };
  }
  const { code, details } = answer;
  const message = cleanText(details, MAX_MESSAGE_CHARACTERS);
  if (ACCEPTED.test(details)) return { kind: 'taken' };
  if (NONCE_USED.test(details)) return { kind: 'nonce_used' };
  if (UNDERPRICED.test(details)) return { kind: 'outbid' };
  if (FUNDS.test(details)) return { kind: 'refused', code: 'InsufficientFunds', message };
  if (LATER.test(details) || isProtocolError(code)) return { kind: 'unknown', code: 'NotTaken', message };
  return { kind: 'refused', code: 'Refused', message };
};

/** Broadcasts a signed transaction. Never throws. */
export const broadcast = async (client: ChainClient, raw: Uint8Array): Promise<BroadcastResult> => {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [bytesToHex(raw)] });
    return { kind: 'taken' };
  } catch (error) {
    return broadcastResultOf(error);
  }
};
