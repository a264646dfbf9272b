import { type Address, bytesToHex, type Hex, hexToBytes, parseEventLogs, zeroAddress } from 'viem';
import { afterCommit } from '../../db/commit-outcome.js';
import type { Database } from '../../db/database.js';
import { insertMints, selectMints } from '../../store/onchain/mint.js';
import { seriesCollectionAbi as abi } from '../artifact/series-collection.js';
import type { ChainClient } from '../network.js';
import type { Planned, Receipt, SendFailure, Sent, WalletRequest } from '../transaction/call.js';
import { mapInBatches } from '../transaction/preparation.js';
import { receiptOf } from '../transaction/receipt-wait.js';
import type { Sender } from '../transaction/sender.js';
import { type Minted, mintCall, readPrice, readTerms, simulateMints } from './mint.js';
import { type Recipient, unresolved } from './mint-recipient.js';
import { type Rejection, readErrorCode } from './mint-revert.js';
import { UNLIMITED_BALANCE } from './simulated-call.js';
import { revertOf } from './simulation-revert.js';

/** The outcome for one recipient. */
export type MintOutcome = {
  readonly recipient: Recipient;
} & (
  | { readonly error: string }
  | {
      readonly hash: Hex;
      /** Undefined until it is mined. */
      readonly receipt?: { readonly status: string; readonly gasUsed: bigint; readonly blockNumber: bigint };
      readonly tokenIds?: readonly bigint[];
    }
);

export interface MintBatch extends WalletRequest {
  readonly minted: Minted;
  readonly recipients: readonly Recipient[];
  /**
   * How long to wait for blocks, in milliseconds. With 0 the call does not wait, but a repeated request still gets the
   * receipts found so far.
   */
  readonly timeoutMs: number;
}

interface Dependencies {
  readonly db: Database;
  readonly sender: Sender;
  readonly client: ChainClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** Time for one receipt lookup. */
const POLL_INTERVAL_MS = 500;
/** Concurrent receipt lookups: endpoints limit requests by the second. */
const CONCURRENCY = 50;
/** Time after which no more receipts are looked up, because requests end within ten seconds. */
const FOLLOW_END_MS = 9000;

/**
 * Adds a margin, because the state may change until the mint runs: a recipient's first token, another hook.
 * @param most maximum gas of a mint
 */
const gasLimit = (gas: bigint, most: bigint): bigint => {
  const limit = (gas * 5n) / 4n + 10_000n;
  return limit < most ? limit : most;
};

const hasAddress = (recipient: Recipient): recipient is Recipient & { readonly address: Address } =>
  recipient.address !== undefined;

const fail = (code: string, message: string): SendFailure => ({ failure: { code, message } });
const refuse = ({ name, reason }: Rejection): SendFailure => fail(name, reason);

/** Plans a call for each recipient whose simulated mint succeeds. A failing recipient does not use up the supply. */
const planMints = async ({ client, clock }: Dependencies, batch: MintBatch): Promise<Planned[]> => {
  const { minted, recipients, wallet } = batch;
  const terms = await readTerms(client, minted, wallet.address, clock());
  const simulated = await simulateMints(client, wallet.address, minted.contract, recipients.filter(hasAddress), terms);
  const mints = simulated.values();
  return recipients.map((recipient) => {
    if (!hasAddress(recipient)) return fail('NoAddress', unresolved(recipient));
    const { call, outcome } = mints.next().value as (typeof simulated)[number];
    if ('rejection' in outcome) return refuse(outcome.rejection);
    return { ...call, gas: gasLimit(outcome.gas, call.gas), purpose: 'mint' };
  });
};

/** Simulates a failed mint on top of its block to find the reason, which a receipt does not contain. */
const rejectionOf = async (
  client: ChainClient,
  { from, contract, blockNumber }: { readonly from: Address; readonly contract: Address; readonly blockNumber: bigint },
  { address, quantity }: { readonly address: Address; readonly quantity: number },
): Promise<Rejection | undefined> => {
  const price = (await readPrice(client, contract)) ?? 0n;
  const { data, value, gas } = mintCall(contract, address, quantity, price);
  const stateOverride = [{ address: from, balance: UNLIMITED_BALANCE }];
  try {
    await client.call({ account: from, to: contract, data, value, gas, blockNumber, stateOverride });
    return undefined;
  } catch (error) {
    const revert = revertOf(error);
    return revert && readErrorCode(revert.data);
  }
};

const tokenIdsOf = (receipt: Receipt, contract: Address): bigint[] =>
  parseEventLogs({
    abi,
    eventName: 'Transfer',
    logs: receipt.logs.filter(({ address }) => address.toLowerCase() === contract),
  })
    .filter(({ args }) => args.from === zeroAddress)
    .map(({ args }) => args.tokenId);

/** Waits for the receipt of one transaction. */
const follow = async (
  { sender, client }: Dependencies,
  { wallet, minted: { contract }, timeoutMs }: Pick<MintBatch, 'wallet' | 'minted' | 'timeoutMs'>,
  sent: Sent,
  recipient: Recipient & { readonly address: Address },
): Promise<MintOutcome> => {
  const receipt = timeoutMs === 0 ? undefined : await receiptOf(sender, sent.id, timeoutMs);
  if (!receipt) return { recipient, hash: sent.hash };
  const { transactionHash: hash, status, gasUsed, blockNumber } = receipt;
  if (status === 'success') {
    return { recipient, hash, receipt: { status, gasUsed, blockNumber }, tokenIds: tokenIdsOf(receipt, contract) };
  }
  const where = { from: wallet.address, contract, blockNumber };
  const rejection = await rejectionOf(client, where, recipient).catch(() => undefined);
  const why = rejection === undefined ? '' : ` ${rejection.reason}`;
  return { recipient, error: `The transaction ${hash} was mined, but the contract refused it.${why}` };
};

/**
 * Mints to each recipient in a separate transaction, in order. A recipient that cannot be minted to does not affect the
 * others. A repeated request with the same idempotency record sends nothing and returns the outcomes of the first one.
 * @returns the outcomes in the order of the recipients
 * @throws AppError not_found for an address without code, invalid for a contract that is not a series collection, and
 *   what client and sender throw if the chain does not respond; in each case nothing was sent
 */
export const mintBatch = async (deps: Dependencies, batch: MintBatch): Promise<MintOutcome[]> => {
  const { db, sender } = deps;
  const { wallet, network, minted, recipients, idempotencyRecord } = batch;
  const contract = hexToBytes(minted.contract);
  let isFirst = false;
  const plan = (): Promise<Planned[]> => {
    isFirst = true;
    return planMints(deps, batch);
  };
  const outcomes = await sender.send(wallet, network, plan, {
    idempotencyRecord: idempotencyRecord,
    written: (session, written) =>
      insertMints(
        session,
        written.flatMap((outcome, index) => {
          const { address, fid = null, quantity } = recipients[index] as Recipient;
          if ('failure' in outcome || address === undefined) return [];
          return [{ transactionId: outcome.id, contract, recipient: hexToBytes(address), fid, quantity }];
        }),
      ),
  });
  const sent = outcomes.flatMap((outcome) => ('failure' in outcome ? [] : [outcome.id]));
  // An account may have changed its address since the first request, so the recipient of the transaction is returned.
  const kept = await afterCommit(() => selectMints(db, sent));
  const timeoutMs = isFirst ? batch.timeoutMs : Math.max(batch.timeoutMs, POLL_INTERVAL_MS);
  const began = performance.now();
  const follows = outcomes.map((outcome, index) => async (): Promise<MintOutcome> => {
    const recipient = recipients[index] as Recipient;
    if ('failure' in outcome) {
      const { code, message, revert } = outcome.failure;
      return { recipient, error: code === 'Reverted' ? readErrorCode(revert).reason : message };
    }
    const row = kept.get(outcome.id);
    if (!row) throw new Error(`the mint of transaction ${outcome.id} is gone`);
    const to = { ...recipient, address: bytesToHex(row.recipient) };
    const passed = performance.now() - began;
    if (passed > FOLLOW_END_MS) return { recipient: to, hash: outcome.hash };
    // One poll serves all waiting transactions, so even after the time is over later batches find their receipts.
    const left = timeoutMs === 0 ? 0 : Math.max(1, timeoutMs - passed);
    return follow(deps, { wallet, minted, timeoutMs: left }, outcome, to);
  });
  return mapInBatches(follows, CONCURRENCY, (one) => one());
};
