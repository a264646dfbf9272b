import { bytesToHex } from 'viem';
import { selectNonceHolders, updateTransactionsReopened } from '../../store/chain-transaction.js';
import type { Session } from '../../store/database.js';
import { selectMinedAccounts } from '../../store/local-chain.js';
import type { LocalClient } from './chain.js';
import { fillWallet } from './seed.js';
import { LOCAL_CHAIN_ID } from '../network.js';

/**
 * Finds what the database says was mined, and the chain does not have: its state was lost, or is older. The
 * transactions are opened again, so that they are sent again: in the same order, so that contracts come back at the
 * same addresses.
 * @returns how many they are
 */
export const reopenLostTransactions = async (session: Session, client: LocalClient): Promise<number> => {
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
