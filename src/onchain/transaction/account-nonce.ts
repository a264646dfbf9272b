import type { Address } from 'viem';
import { AppError } from '../../error.js';
import type { ChainClient } from '../network.js';

/** Pending transactions of an account that are not in the database. A higher number is read a second time. */
const MAX_AHEAD = 16;

/**
 * Reads the next nonce of an account, including the pool.
 * @param known the next nonce in the database; undefined before the first use
 * @throws AppError ChainUnavailable if the endpoints report different nonces, or too many unknown pending transactions:
 *   with a nonce that is too high no transaction would be mined
 */
export const readNonce = async (client: ChainClient, address: Address, known: number | undefined): Promise<number> => {
  const pending = await client.getTransactionCount({ address, blockTag: 'pending' });
  if (pending <= (known ?? 0) + MAX_AHEAD) return pending;
  const [latest, again] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
  ]);
  if (again >= pending && again <= latest + MAX_AHEAD) return again;
  const message = `The endpoints do not agree on the next nonce of ${address} (${pending}, then ${again}, ${latest} in blocks; ${known ?? 'none'} is known here). Nothing was sent. Try again shortly.`;
  throw new AppError('internal', 'ChainUnavailable', message);
};
