import { type Address, bytesToHex, type Hex, hexToBytes, parseEventLogs, zeroAddress } from 'viem';
import { afterCommit } from '../../store/commit-outcome.js';
import type { Database } from '../../store/database.js';
import { insertMints, selectMints } from '../../store/mint.js';
import type { Journal } from '../../write/journal.js';
import { seriesCollectionAbi as abi } from '../artifact/series-collection.js';
import { type Minted, mintCall, readPrice, readTerms, simulateMints } from './mint.js';
import { type Refusal, readRefusal } from './mint-revert.js';
import type { ChainClient, Network } from '../network.js';
import { mapInBatches } from '../transaction/preparation.js';
import { type Recipient, unresolved } from './mint-recipient.js';
import type { Planned, Receipt, Sender, SendFailure, Sent } from '../transaction/sender.js';
import { receiptOf } from '../sent-receipt.js';
import { ENDLESS, revertOf } from './simulation-revert.js';
import type { UsableWallet } from '../transaction/wallet.js';

/** What became of one recipient. */
export type MintOutcome = {
  readonly recipient: Recipient;
} & (
  | { readonly error: string }
  | {
      readonly hash: Hex;
      /** Undefined: not mined yet. */
      readonly receipt?: { readonly status: string; readonly gasUsed: bigint; readonly blockNumber: bigint };
      readonly tokenIds?: readonly bigint[];
    }
);

export interface MintBatch {
  readonly wallet: UsableWallet;
  readonly network: Network;
  readonly minted: Minted;
  readonly recipients: readonly Recipient[];
  readonly journal: Journal | undefined;
  /** Milliseconds to wait for blocks; 0: none is waited for, but who asks again is told of those that came meanwhile. */
  readonly timeoutMs: number;
}

interface Parts {
  readonly db: Database;
  readonly sender: Sender;
  readonly client: ChainClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** Enough for one look at the chain. */
const LOOK_MS = 500;
/** Receipts at a time: endpoints count requests by the second. */
const AT_ONCE = 50;
/** After which nobody is asked for receipts any more: requests end within ten seconds. */
const FOLLOW_END_MS = 9000;

/**
 * What runs later may find a state that costs a little more: a recipient's first token, a hook that does another thing.
 * @param most that the mint may take
 */
const gasLimit = (gas: bigint, most: bigint): bigint => {
  const limit = (gas * 5n) / 4n + 10_000n;
  return limit < most ? limit : most;
};

const hasAddress = (recipient: Recipient): recipient is Recipient & { readonly address: Address } =>
  recipient.address !== undefined;

const fail = (code: string, message: string): SendFailure => ({ failure: { code, message } });
const refuse = ({ name, reason }: Refusal): SendFailure => fail(name, reason);

/** One call for each recipient whose mint will do, in order; what is refused takes nothing from those after it. */
const planMints = async ({ client, clock }: Parts, batch: MintBatch): Promise<Planned[]> => {
  const { minted, recipients, wallet } = batch;
  const terms = await readTerms(client, minted, wallet.address, clock());
  const simulated = await simulateMints(client, wallet.address, minted.contract, recipients.filter(hasAddress), terms);
  const mints = simulated.values();
  return recipients.map((recipient) => {
    if (!hasAddress(recipient)) return fail('NoAddress', unresolved(recipient));
    const { call, outcome } = mints.next().value as (typeof simulated)[number];
    if ('refusal' in outcome) return refuse(outcome.refusal);
    return { ...call, gas: gasLimit(outcome.gas, call.gas), purpose: 'mint' };
  });
};

/** What the contract says to a mint after the block in which it failed: the receipt alone has no reason. */
const refusalOf = async (
  client: ChainClient,
  { from, contract, blockNumber }: { readonly from: Address; readonly contract: Address; readonly blockNumber: bigint },
  { address, quantity }: { readonly address: Address; readonly quantity: number },
): Promise<Refusal | undefined> => {
  const price = (await readPrice(client, contract)) ?? 0n;
  const { data, value, gas } = mintCall(contract, address, quantity, price);
  const stateOverride = [{ address: from, balance: ENDLESS }];
  try {
    await client.call({ account: from, to: contract, data, value, gas, blockNumber, stateOverride });
    return undefined;
  } catch (error) {
    const revert = revertOf(error);
    return revert && readRefusal(revert.data);
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

/** Follows one transaction. */
const follow = async (
  { sender, client }: Parts,
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
  const refusal = await refusalOf(client, where, recipient).catch(() => undefined);
  const why = refusal === undefined ? '' : ` ${refusal.reason}`;
  return { recipient, error: `The transaction ${hash} was mined, but the contract refused it.${why}` };
};

/**
 * Mints to each recipient with a transaction of its own, in order. A recipient that cannot get anything is an error for
 * itself alone. A request that comes again, with its journal, sends nothing and follows what the first one sent.
 *
 * @returns an outcome for each recipient, in order
 * @throws AppError not_found for an address without code, invalid for a contract that is not minted as ours are, and
 *   what client and sender throw when the chain does not answer; nothing was sent then
 */
export const mintBatch = async (parts: Parts, batch: MintBatch): Promise<MintOutcome[]> => {
  const { db, sender } = parts;
  const { wallet, network, minted, recipients, journal } = batch;
  const contract = hexToBytes(minted.contract);
  let isFirst = false;
  const plan = (): Promise<Planned[]> => {
    isFirst = true;
    return planMints(parts, batch);
  };
  const outcomes = await sender.send(wallet, network, plan, {
    journal,
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
  // An account may have another address by now: what counts is where the transaction mints to.
  const kept = await afterCommit(() => selectMints(db, sent));
  const timeoutMs = isFirst ? batch.timeoutMs : Math.max(batch.timeoutMs, LOOK_MS);
  const began = performance.now();
  const follows = outcomes.map((outcome, index) => async (): Promise<MintOutcome> => {
    const recipient = recipients[index] as Recipient;
    if ('failure' in outcome) {
      const { code, message, revert } = outcome.failure;
      return { recipient, error: code === 'Reverted' ? readRefusal(revert).reason : message };
    }
    const row = kept.get(outcome.id);
    if (!row) throw new Error(`the mint of transaction ${outcome.id} is gone`);
    const to = { ...recipient, address: bytesToHex(row.recipient) };
    const passed = performance.now() - began;
    if (passed > FOLLOW_END_MS) return { recipient: to, hash: outcome.hash };
    // One look at the chain is for all that wait, so that later batches find what came while the first one waited.
    const left = timeoutMs === 0 ? 0 : Math.max(1, timeoutMs - passed);
    return follow(parts, { wallet, minted, timeoutMs: left }, outcome, to);
  });
  return mapInBatches(follows, AT_ONCE, (one) => one());
};
