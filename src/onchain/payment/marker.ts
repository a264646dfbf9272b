import { fromHex, toHex } from '../../hex.js';

/** Precedes the id of a page in the calldata of its payment. */
const TAG = Buffer.from('castellan:pay:');
const ID_BYTES = 16;

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/**
 * @param id of a page, a UUID
 * @returns bytes that the page appends to the calldata of its payment. Contracts ignore what follows their arguments, and
 *   wallets that are contracts pass the calldata on, so the bytes are found in the transaction in either case.
 */
export const paymentMarker = (id: string): `0x${string}` => toHex(Buffer.concat([TAG, idBytes(id)]));

/**
 * A transaction with markers pays only the pages that these name: otherwise somebody could watch the chain and report a
 * stranger's transaction as the payment of another page of the same seller.
 * @param input calldata of a transaction
 */
export const mayPay = (input: string, id: string): boolean => {
  const bytes = fromHex(input);
  let isMarked = false;
  for (let at = bytes.indexOf(TAG); at !== -1; at = bytes.indexOf(TAG, at + 1)) {
    const marked = bytes.subarray(at + TAG.length, at + TAG.length + ID_BYTES);
    if (marked.equals(idBytes(id))) return true;
    isMarked = true;
  }
  return !isMarked;
};
