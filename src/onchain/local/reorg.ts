import { bytesToHex } from 'viem';
import type { Session } from '../../db/statement.js';
import { selectMinedAccounts } from '../../store/onchain/local-chain.js';
import { selectNonceHolders, updateTransactionsReopened } from '../../store/onchain/transaction.js';
import { LOCAL_CHAIN_ID } from '../network.js';
import type { LocalClient } from './chain.js';
import { fillWallet } from './seed.js';

/**
 * Reopens transactions that are stored as mined but missing on the chain, because its state was lost or is older. They
 * are sent again in the same order, so that contracts get the same addresses.
 * @returns their number
 */
export const reopenDroppedTransactions = async (session: Session, client: LocalClient): Promise<number> => {
  let lost = 0;
  for (const { walletId, address, next } of await selectMinedAccounts(session, LOCAL_CHAIN_ID)) {
    const account = bytesToHex(address);
    const count = await client.getTransactionCount({ address: account });
    if (count >= next) continue;
    const of = { walletId, chainId: LOCAL_CHAIN_ID, from: count, to: next };
    const ids = (await selectNonceHolders(session, of)).filter(({ state }) => state === 'mined').map(({ id }) => id);
    await fillWallet(client, account);
    await updateTransactionsReopened(session, ids);
    lost += ids.length;
  }
  return lost;
};
