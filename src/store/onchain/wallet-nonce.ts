import type { Session } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';

const insertNonce = writeQuery(
  'insert_nonce',
  'insert into wallet_nonce (wallet_id, chain_id, next_nonce) values (:walletId::uuid, :chainId, :first) on conflict do nothing',
).done();
const selectForUpdate = writeQuery(
  'lock_nonce',
  'select next_nonce as next from wallet_nonce where wallet_id = :walletId::uuid and chain_id = :chainId for update',
).value('next');

/** Locks the next nonce until the transaction ends; inserts `first` if the wallet has none on this chain. */
export const lockNonce = async (
  session: Session,
  walletId: string,
  chainId: number,
  first: number,
): Promise<number> => {
  await insertNonce(session, { walletId, chainId, first });
  return (await selectForUpdate(session, { walletId, chainId })) ?? first;
};

/** @returns the stored next nonce; undefined before the wallet's first use on the chain. */
export const selectNonce = selectQuery(
  'select_nonce',
  'select next_nonce as next from wallet_nonce where wallet_id = :walletId::uuid and chain_id = :chainId',
).value('next', (walletId: string, chainId: number) => ({ walletId, chainId }));

/** Sets the next nonce; the caller has locked it. */
export const updateNonce = writeQuery(
  'update_nonce',
  'update wallet_nonce set next_nonce = :next where wallet_id = :walletId::uuid and chain_id = :chainId',
).done((walletId: string, chainId: number, next: number) => ({ walletId, chainId, next }));
