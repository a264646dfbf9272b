import { type Session, sql } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';

const insertNonceSql = sql(
  'insert_nonce',
  'insert into wallet_nonce (wallet_id, chain_id, next_nonce) values ($1::uuid, $2, $3) on conflict do nothing',
);
const lockNonceSql = sql<{ next: number }>(
  'lock_nonce',
  'select next_nonce as next from wallet_nonce where wallet_id = $1::uuid and chain_id = $2 for update',
);

/** Locks the next nonce until the transaction ends; inserts `first` if the wallet has none on this chain. */
export const lockNonce = async (
  session: Session,
  walletId: string,
  chainId: number,
  first: number,
): Promise<number> => {
  await session.run(insertNonceSql, [walletId, chainId, first]);
  const [row] = await session.run(lockNonceSql, [walletId, chainId]);
  return row?.next ?? first;
};

/** @returns the stored next nonce; undefined before the wallet's first use on the chain. */
export const selectNonce = selectQuery<{ next: number }>(
  'select_nonce',
  'select next_nonce as next from wallet_nonce where wallet_id = $1::uuid and chain_id = $2',
).value('next', (walletId: string, chainId: number) => [walletId, chainId]);

/** Sets the next nonce; the caller has locked it. */
export const updateNonce = writeQuery(
  'update_nonce',
  'update wallet_nonce set next_nonce = $3 where wallet_id = $1::uuid and chain_id = $2',
).done((walletId: string, chainId: number, next: number) => [walletId, chainId, next]);
