import { setImmediate as breathe } from 'node:timers/promises';
import { bytesToHex, hexToBytes, type TransactionSerializable } from 'viem';
import type { MasterKey } from '../../config/secret.js';
import type { Session } from '../../db/statement.js';
import type { AttemptRow } from '../../store/onchain/attempt.js';
import type { TransactionRow } from '../../store/onchain/transaction.js';
import type { Fee } from './fee.js';
import { withWalletKey } from './wallet.js';
import { signTransaction } from './wallet-key.js';

/** Signatures between two turns of the event loop; each takes one or two milliseconds. */
const CONCURRENCY = 16;

/** The columns that are signed. */
export type Unsigned = Pick<
  TransactionRow,
  'id' | 'walletId' | 'chainId' | 'nonce' | 'recipient' | 'data' | 'value' | 'gas'
>;

const withFee = (row: Unsigned, fee: Fee): TransactionSerializable => {
  const common = {
    chainId: row.chainId,
    nonce: row.nonce,
    data: bytesToHex(row.data),
    value: BigInt(row.value),
    gas: BigInt(row.gas),
    ...(row.recipient && { to: bytesToHex(row.recipient) }),
  };
  return fee.isLegacy
    ? { ...common, type: 'legacy', gasPrice: fee.maxFee }
    : { ...common, type: 'eip1559', maxFeePerGas: fee.maxFee, maxPriorityFeePerGas: fee.priorityFee };
};

/** A legacy transaction is an RLP list; one with a type begins with it (EIP-2718). */
const LEGACY_FIRST_BYTE = 0xc0;

/** @returns the price at which a transaction was signed */
export const feeOf = ({ maxFee, priorityFee, raw }: Pick<AttemptRow, 'maxFee' | 'priorityFee' | 'raw'>): Fee => ({
  maxFee: BigInt(maxFee),
  priorityFee: BigInt(priorityFee),
  isLegacy: (raw[0] as number) >= LEGACY_FIRST_BYTE,
});

/** Signs transactions of one wallet, in order. Its key is decrypted only while a batch is signed. */
export const signAttempts = async (
  session: Session,
  masterKey: MasterKey,
  rows: readonly Unsigned[],
  fee: Fee,
  now: Date,
): Promise<AttemptRow[]> => {
  const attempts: AttemptRow[] = [];
  for (let from = 0; from < rows.length; from += CONCURRENCY) {
    if (from > 0) await breathe();
    const batch = rows.slice(from, from + CONCURRENCY);
    const signed = await withWalletKey(session, masterKey, (batch[0] as Unsigned).walletId, (key) =>
      batch.map((row) => {
        const { hash, raw } = signTransaction(key, withFee(row, fee));
        return { hash: hexToBytes(hash), transactionId: row.id, nonce: row.nonce, raw };
      }),
    );
    for (const one of signed) {
      attempts.push({ ...one, maxFee: String(fee.maxFee), priorityFee: String(fee.priorityFee), createdAt: now });
    }
  }
  return attempts;
};
