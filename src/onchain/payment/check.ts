import { bytesToHex, TransactionNotFoundError } from 'viem';
import type { Database } from '../../db/database.js';
import { fromHex } from '../../hex.js';
import { type PayFrameRow, selectPayFrame } from '../../store/onchain/pay-frame.js';
import { insertPayTransfer } from '../../store/onchain/pay-report.js';
import { selectRecipientAddresses } from '../../store/onchain/recipient.js';
import { type ChainClient, LOCAL_CHAIN_ID, PUBLIC_CHAINS } from '../network.js';
import type { Receipt } from '../transaction/call.js';
import { findMinedReceipt } from '../transaction/receipt.js';
import { ERC20_TOPICS, TRANSFER } from '../transfer-event.js';
import { mayPay } from './marker.js';

/** Whether a transaction paid: `open` may still change, `refused` never does. `detail` is for the payer. */
export type PaymentResult =
  | { readonly state: 'completed' }
  | { readonly state: 'open' | 'refused'; readonly detail: string };

const WORD_HEX = 66;

/**
 * Blocks that must be mined, the one with the payment included: about two minutes on Ethereum, and ten seconds on the
 * others, whose blocks are replaced only if their sequencer fails. The local chain has a block for each transaction only.
 */
const confirmationsOf = (chainId: number): number => {
  if (chainId === LOCAL_CHAIN_ID) return 1;
  return chainId === PUBLIC_CHAINS.ethereum.id ? 12 : 5;
};

const refused = (detail: string): PaymentResult => ({ state: 'refused', detail });

const addressTopic = (address: Uint8Array): string => `0x${bytesToHex(address).slice(2).padStart(64, '0')}`;

interface Transfer {
  /** 20 bytes. */
  readonly from: Buffer;
  readonly logIndex: number;
}

/** @returns the transfers of the token to the recipient that are large enough */
const transfersIn = ({ logs }: Receipt, { token, recipient, units }: PayFrameRow): Transfer[] => {
  const [contract, to] = [bytesToHex(token), addressTopic(recipient)];
  return logs.flatMap(({ address, topics, data, logIndex }) => {
    const isTransfer = topics[0] === TRANSFER && topics.length === ERC20_TOPICS && data.length === WORD_HEX;
    if (!isTransfer || address.toLowerCase() !== contract || topics[2]?.toLowerCase() !== to) return [];
    if (BigInt(data) < BigInt(units)) return [];
    return [{ from: fromHex(topics[1] as string).subarray(12), logIndex }];
  });
};

/** @returns whether an address is the custody address or a verified address of one of the accounts */
const belongsTo = async (db: Database, fids: readonly number[], address: Buffer): Promise<boolean> => {
  const accounts = await selectRecipientAddresses(db, fids);
  const hex = address.toString('hex');
  return [...accounts.values()].some(
    ({ custody, verified }) => custody === hex || verified.some((one) => one.address === hex),
  );
};

const readInput = async (client: ChainClient, hash: Uint8Array): Promise<string | undefined> => {
  try {
    return (await client.getTransaction({ hash: bytesToHex(hash) })).input;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
};

const UNMINED: PaymentResult = { state: 'open', detail: 'The network has not included this transaction yet.' };

/**
 * Compares a transaction with the terms of a page, on the chain alone, and counts its transfer as the payment if it fits.
 * @param allowedFids accounts of which one must own the sender's address; undefined: anybody may pay
 * @throws what the client throws if the chain does not answer
 */
export const checkPayment = async (
  { db, client, clock }: { readonly db: Database; readonly client: ChainClient; readonly clock: () => number },
  frame: PayFrameRow,
  hash: Uint8Array,
  allowedFids: readonly number[] | undefined,
): Promise<PaymentResult> => {
  const receipt = await findMinedReceipt(client, hash);
  if (!receipt) return UNMINED;
  if (receipt.status !== 'success') return refused('The transaction failed, so it moved no tokens.');
  if (receipt.blockNumber <= BigInt(frame.createdBlock))
    return refused('The transaction is older than this request for a payment.');
  const transfers = transfersIn(receipt, frame);
  if (transfers.length === 0) {
    return refused('The transaction does not transfer the amount in this token to the recipient.');
  }
  const input = await readInput(client, hash);
  if (input === undefined) return UNMINED;
  if (!mayPay(input, frame.id)) return refused('The transaction pays for another request.');
  const [needed, head] = [confirmationsOf(frame.chainId), await client.getBlockNumber({ cacheTime: 0 })];
  const confirmations = Number(head - receipt.blockNumber) + 1;
  let isForeign = false;
  for (const { from, logIndex } of transfers) {
    if (allowedFids !== undefined && !(await belongsTo(db, allowedFids, from))) {
      isForeign = true;
      continue;
    }
    if (confirmations < needed) {
      return { state: 'open', detail: `The network has confirmed ${Math.max(0, confirmations)} of ${needed} blocks.` };
    }
    const counted = await insertPayTransfer(db, {
      chainId: frame.chainId,
      txHash: hash,
      logIndex,
      payFrameId: frame.id,
      payer: from,
      block: Number(receipt.blockNumber),
      countedAt: new Date(clock()),
    });
    if (counted) return { state: 'completed' };
  }
  if ((await selectPayFrame(db, frame.id))?.isCompleted) return { state: 'completed' };
  return refused(
    isForeign
      ? 'The sender of the tokens is not an address of an account that may pay.'
      : 'The transaction was counted for another request already.',
  );
};
