import type { Address } from 'viem';
import { AppError } from '../../error.js';
import type { ChainClient } from '../network.js';

/** Transactions that an account may have waiting beside those that are known here: more is looked at twice. */
const MAX_AHEAD = 16;

/**
 * Reads the next nonce of an account, with what waits in the pool.
 * @param known the next one as it is kept here; undefined before the first use
 * @throws AppError ChainUnavailable where the endpoints say something else from one moment to the next, or that much
 *   waits which is not known here: a nonce that is too high would keep everything from being mined
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
