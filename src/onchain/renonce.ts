import { randomUUID } from 'node:crypto';
import { bytesToHex } from 'viem';
import type { MasterKey } from '../config/secret.js';
import { insertAttempts } from '../store/chain-attempt.js';
import {
  insertTransactions,
  lockOpenTransaction,
  lockOpenTransactions,
  selectOpenTransactions,
  updateTransactionFailure,
  updateTransactionNonce,
  updateTransactionRefused,
} from '../store/chain-transaction.js';
import type { Session } from '../store/database.js';
import { lockNonce, selectNonce, updateNonce } from '../store/wallet-nonce.js';
import { readNonce } from './transaction/account-nonce.js';
import { signAttempts } from './transaction/signing.js';
import { type ChainParts, FILL, type Shipment } from './chain-parts.js';
import { type FeeMarket, feeCeiling, readFees } from './transaction/fee.js';
import type { ChainClient } from './network.js';

/** What the yellow paper asks of a transfer; chains that ask for more say so when they are asked for an estimate. */
const TRANSFER_GAS = 21_000n;

/** Why something was not taken, for the row and the caller. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

type Owner = Pick<Shipment['row'], 'walletId' | 'chainId' | 'network' | 'address'>;

interface FillTerms {
  readonly fees: FeeMarket;
  readonly gas: bigint;
}

/** Reads what it takes to fill a nonce: before anything is locked. */
const readFillTerms = async (parts: ChainParts, client: ChainClient, owner: Owner): Promise<FillTerms> => {
  const account = bytesToHex(owner.address);
  const [fees, gas] = await Promise.all([
    readFees(client, feeCeiling(owner.chainId, parts.maxFeeGwei)),
    client.estimateGas({ account, to: account, value: 0n }).catch(() => TRANSFER_GAS),
  ]);
  return { fees, gas };
};

/** Takes nonces with transfers of nothing to the account itself. The caller holds the lock of the nonces. */
const insertFills = async (
  session: Session,
  { masterKey, clock }: ChainParts,
  owner: Owner,
  { fees, gas }: FillTerms,
  nonces: readonly number[],
): Promise<Shipment[]> => {
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
  return rows.map((row, place) => ({
    row: { ...row, address, sent: false },
    attempt: attempts[place] as Shipment['attempt'],
  }));
};

/**
 * Ends transactions that no node took: each was handed in once, and all who were asked refused it. The last nonces are handed out again; those that others wait behind are taken
 * by transactions that do nothing.
 * @param refusals by the transaction's id
 * @returns what has to be sent for that
 */
export const giveBackNonces = async (
  parts: ChainParts,
  client: ChainClient,
  owner: Owner,
  refusals: ReadonlyMap<string, Refusal>,
): Promise<Shipment[]> => {
  const terms = await readFillTerms(parts, client, owner);
  const now = new Date(parts.clock());
  return parts.db.transaction(async (session) => {
    let next = await lockNonce(session, owner.walletId, owner.chainId, 0);
    const gaps: number[] = [];
    for (const row of await lockOpenTransactions(session, [...refusals.keys()])) {
      const refusal = refusals.get(row.id) as Refusal;
      const isLast = row.nonce === next - 1;
      if (!isLast && row.purpose === FILL) {
        // Another one would be refused alike: it stays until somebody funds the wallet.
        await updateTransactionFailure(session, row.id, refusal);
        continue;
      }
      await updateTransactionRefused(session, row.id, { ...refusal, now });
      if (isLast) next = row.nonce;
      else gaps.push(row.nonce);
    }
    await updateNonce(session, owner.walletId, owner.chainId, next);
    return insertFills(session, parts, owner, terms, gaps.reverse());
  });
};

/** Takes nonces that nobody holds and that later transactions wait behind. @returns what has to be sent for that */
export const fillNonces = async (
  parts: ChainParts,
  client: ChainClient,
  owner: Owner,
  nonces: readonly number[],
): Promise<Shipment[]> => {
  const terms = await readFillTerms(parts, client, owner);
  return parts.db.transaction(async (session) => {
    await lockNonce(session, owner.walletId, owner.chainId, 0);
    return insertFills(session, parts, owner, terms, nonces);
  });
};

const TAKEN_ELSEWHERE: Refusal = { code: 'NonceTaken', message: 'Another program used the nonce.' };
const NOT_NEEDED: Refusal = { code: 'NotNeeded', message: 'Nothing waits behind it.' };

/**
 * Signs open transactions again with one nonce after another, under the lock of the wallet's nonce.
 * @param move `first` is the first of these nonces; `fill` is what becomes of transfers that only filled a nonce
 * @returns what has to be sent for that
 */
const signAnew = async (
  session: Session,
  masterKey: MasterKey,
  { walletId, chainId }: Owner,
  move: {
    readonly ids: readonly string[];
    readonly first: number;
    readonly fees: FeeMarket;
    readonly now: Date;
    readonly fill: Refusal;
  },
): Promise<Shipment[]> => {
  const { ids, first, fees, now, fill } = move;
  const shipments: Shipment[] = [];
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
    shipments.push({ row: moved, attempt });
  }
  await updateNonce(session, walletId, chainId, next);
  return shipments;
};

/**
 * Signs transactions anew whose nonces something else took: another program that holds the key of the wallet.
 * @param ids in the order in which they are to be mined
 * @returns what has to be sent for that
 */
export const takeNewNonces = async (
  parts: ChainParts,
  client: ChainClient,
  owner: Owner,
  ids: readonly string[],
): Promise<Shipment[]> => {
  const { db, masterKey, clock } = parts;
  const known = await selectNonce(db, owner.walletId, owner.chainId);
  const [fees, pending] = await Promise.all([
    readFees(client, feeCeiling(owner.chainId, parts.maxFeeGwei)),
    readNonce(client, bytesToHex(owner.address), known),
  ]);
  const now = new Date(clock());
  return db.transaction(async (session) => {
    const first = Math.max(await lockNonce(session, owner.walletId, owner.chainId, pending), pending);
    return signAnew(session, masterKey, owner, { ids, first, fees, now, fill: TAKEN_ELSEWHERE });
  });
};

/**
 * Moves open transactions down to nonces that are free, and lowers the next one: an endpoint's lie put them so far
 * above that nothing would ever reach them. Their earlier bytes are valid still, so that this is for distances alone
 * which the wallet does not cover.
 * @param first the lowest nonce that nobody holds
 * @returns what has to be sent for that
 */
export const moveDown = async (
  parts: ChainParts,
  client: ChainClient,
  owner: Owner,
  first: number,
): Promise<Shipment[]> => {
  const { db, masterKey, clock } = parts;
  const { walletId, chainId } = owner;
  const fees = await readFees(client, feeCeiling(chainId, parts.maxFeeGwei));
  const now = new Date(clock());
  return db.transaction(async (session) => {
    await lockNonce(session, walletId, chainId, first);
    const above = (await selectOpenTransactions(session, { walletId, chainId })).filter(({ nonce }) => nonce >= first);
    return signAnew(session, masterKey, owner, { ids: above.map(({ id }) => id), first, fees, now, fill: NOT_NEEDED });
  });
};
