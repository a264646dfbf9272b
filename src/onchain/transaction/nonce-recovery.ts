import { randomUUID } from 'node:crypto';
import { bytesToHex } from 'viem';
import type { MasterKey } from '../../config/secret.js';
import type { Session } from '../../db/statement.js';
import { insertAttempts } from '../../store/onchain/attempt.js';
import {
  insertTransactions,
  lockOpenTransaction,
  lockOpenTransactions,
  selectOpenTransactions,
  updateTransactionFailure,
  updateTransactionNonce,
  updateTransactionRefused,
} from '../../store/onchain/transaction.js';
import { lockNonce, selectNonce, updateNonce } from '../../store/onchain/wallet-nonce.js';
import type { ChainClient } from '../network.js';
import { readNonce } from './account-nonce.js';
import { type ChainDependencies, FILL, type SignedTransaction } from './dependencies.js';
import { type Fee, type FeeMarket, feeCeiling, readFees } from './fee.js';
import { feeOf, signAttempts } from './signing.js';

/** Gas of a plain transfer (yellow paper); `eth_estimateGas` returns more on chains that need more. */
const TRANSFER_GAS = 21_000n;

/** Why a transaction was rejected, for its row and the caller. */
export interface Rejection {
  readonly code: string;
  readonly message: string;
}

type Owner = Pick<SignedTransaction['row'], 'walletId' | 'chainId' | 'network' | 'address'>;

interface FillTerms {
  readonly fees: Fee;
  readonly gas: bigint;
}

/** Reads the gas of a filling transfer, before any row is locked. */
const readFillGas = async (client: ChainClient, { address }: Owner): Promise<bigint> => {
  const account = bytesToHex(address);
  return client.estimateGas({ account, to: account, value: 0n }).catch(() => TRANSFER_GAS);
};

/** Fills nonces with empty transfers to the account itself. The caller holds the lock of the wallet's nonce. */
const insertFills = async (
  session: Session,
  { masterKey, clock }: ChainDependencies,
  owner: Owner,
  { fees, gas }: FillTerms,
  nonces: readonly number[],
): Promise<SignedTransaction[]> => {
  if (nonces.length === 0) return [];
  const createdAt = new Date(clock());
  const { walletId, chainId, network, address } = owner;
  const rows = nonces.map((nonce) => ({
    id: randomUUID(),
    walletId,
    network,
    chainId,
    nonce,
    purpose: FILL,
    recipient: address,
    data: new Uint8Array(),
    value: '0',
    gas: Number(gas),
    createdAt,
  }));
  const attempts = await signAttempts(session, masterKey, rows, fees, createdAt);
  await insertTransactions(session, rows);
  await insertAttempts(session, attempts);
  return rows.map((row, index) => ({
    row: { ...row, address, sent: false },
    attempt: attempts[index] as SignedTransaction['attempt'],
  }));
};

/**
 * Fails transactions that every endpoint rejected on their first broadcast. Trailing nonces are released; a nonce that
 * later transactions depend on is filled with an empty transfer, at the fees of `head`, so that it does not depend on
 * another read of the price.
 * @param head a transaction of the wallet that was signed just now
 * @param rejections by the transaction's id
 * @returns the transactions to broadcast
 */
export const releaseNonces = async (
  deps: ChainDependencies,
  client: ChainClient,
  { row: owner, attempt }: SignedTransaction,
  rejections: ReadonlyMap<string, Rejection>,
): Promise<SignedTransaction[]> => {
  const terms = { fees: feeOf(attempt), gas: await readFillGas(client, owner) };
  const now = new Date(deps.clock());
  return deps.db.transaction(async (session) => {
    let next = await lockNonce(session, owner.walletId, owner.chainId, 0);
    const gaps: number[] = [];
    for (const row of await lockOpenTransactions(session, [...rejections.keys()])) {
      const rejection = rejections.get(row.id) as Rejection;
      const isLast = row.nonce === next - 1;
      if (!isLast && row.purpose === FILL) {
        // An empty transfer would be rejected for the same reason, so the transaction stays open until the wallet has
        // funds.
        await updateTransactionFailure(session, row.id, rejection);
        continue;
      }
      await updateTransactionRefused(session, row.id, { ...rejection, now });
      if (isLast) next = row.nonce;
      else gaps.push(row.nonce);
    }
    await updateNonce(session, owner.walletId, owner.chainId, next);
    return insertFills(session, deps, owner, terms, gaps.reverse());
  });
};

/** Fills unused nonces that later transactions depend on. @returns the transactions to broadcast */
export const fillNonceGaps = async (
  deps: ChainDependencies,
  client: ChainClient,
  owner: Owner,
  nonces: readonly number[],
): Promise<SignedTransaction[]> => {
  const [fees, gas] = await Promise.all([
    readFees(client, feeCeiling(owner.chainId, deps.maxFeeGwei)),
    readFillGas(client, owner),
  ]);
  return deps.db.transaction(async (session) => {
    await lockNonce(session, owner.walletId, owner.chainId, 0);
    return insertFills(session, deps, owner, { fees, gas }, nonces);
  });
};

const NONCE_USED_EXTERNALLY: Rejection = { code: 'NonceTaken', message: 'Another program used the nonce.' };
const NOT_NEEDED: Rejection = { code: 'NotNeeded', message: 'Nothing waits behind it.' };

/**
 * Re-signs open transactions with consecutive nonces, under the lock of the wallet's nonce.
 * @param move `first` is the first new nonce; `fill` says what happens to empty transfers
 * @returns the transactions to broadcast
 */
const signWithNewNonces = async (
  session: Session,
  masterKey: MasterKey,
  { walletId, chainId }: Owner,
  move: {
    readonly ids: readonly string[];
    readonly first: number;
    readonly fees: FeeMarket;
    readonly now: Date;
    readonly fill: Rejection;
  },
): Promise<SignedTransaction[]> => {
  const { ids, first, fees, now, fill } = move;
  const signedTransactions: SignedTransaction[] = [];
  let next = first;
  for (const id of ids) {
    const row = await lockOpenTransaction(session, id);
    if (!row) continue;
    if (row.purpose === FILL) {
      await updateTransactionRefused(session, id, { ...fill, now });
      continue;
    }
    const moved = { ...row, nonce: next, sent: false };
    next += 1;
    const [attempt] = await signAttempts(session, masterKey, [moved], fees, now);
    if (!attempt) continue;
    await updateTransactionNonce(session, id, moved.nonce);
    await insertAttempts(session, [attempt]);
    signedTransactions.push({ row: moved, attempt });
  }
  await updateNonce(session, walletId, chainId, next);
  return signedTransactions;
};

/**
 * Re-signs transactions with new nonces because another program with the same wallet key used theirs.
 * @param ids in the order in which they are to be mined
 * @returns the transactions to broadcast
 */
export const reassignNonces = async (
  deps: ChainDependencies,
  client: ChainClient,
  owner: Owner,
  ids: readonly string[],
): Promise<SignedTransaction[]> => {
  const { db, masterKey, clock } = deps;
  const known = await selectNonce(db, owner.walletId, owner.chainId);
  const [fees, pending] = await Promise.all([
    readFees(client, feeCeiling(owner.chainId, deps.maxFeeGwei)),
    readNonce(client, bytesToHex(owner.address), known),
  ]);
  const now = new Date(clock());
  return db.transaction(async (session) => {
    const first = Math.max(await lockNonce(session, owner.walletId, owner.chainId, pending), pending);
    return signWithNewNonces(session, masterKey, owner, { ids, first, fees, now, fill: NONCE_USED_EXTERNALLY });
  });
};

/**
 * Re-signs pending transactions with lower nonces, and lowers the next nonce, after an endpoint reported a far too high
 * one. The old signatures stay valid, so use it only for a gap that the wallet will never reach.
 * @param first the lowest unused nonce
 * @returns the transactions to broadcast
 */
export const lowerNonces = async (
  deps: ChainDependencies,
  client: ChainClient,
  owner: Owner,
  first: number,
): Promise<SignedTransaction[]> => {
  const { db, masterKey, clock } = deps;
  const { walletId, chainId } = owner;
  const fees = await readFees(client, feeCeiling(chainId, deps.maxFeeGwei));
  const now = new Date(clock());
  return db.transaction(async (session) => {
    await lockNonce(session, walletId, chainId, first);
    const above = (await selectOpenTransactions(session, { walletId, chainId })).filter(({ nonce }) => nonce >= first);
    return signWithNewNonces(session, masterKey, owner, {
      ids: above.map(({ id }) => id),
      first,
      fees,
      now,
      fill: NOT_NEEDED,
    });
  });
};
