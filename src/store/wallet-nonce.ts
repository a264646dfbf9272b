import type { Session } from './database.js';

/** Makes sure that there is a next nonce, the given one where there was none, and locks it until the transaction ends. */
export const lockNonce = async (
  session: Session,
  walletId: string,
  chainId: number,
  first: number,
): Promise<number> => {
  await session.run(
    'insert into wallet_nonce (wallet_id, chain_id, next_nonce) values ($1::uuid, $2, $3) on conflict do nothing',
    [walletId, chainId, first],
  );
  const [row] = await session.run<{ next: number }>(
    'select next_nonce as next from wallet_nonce where wallet_id = $1::uuid and chain_id = $2 for update',
    [walletId, chainId],
  );
  return row?.next ?? first;
};

/** @returns the next nonce as it is kept; undefined before the wallet's first use on the chain. */
export const selectNonce = async (session: Session, walletId: string, chainId: number): Promise<number | undefined> =>
  (
    await session.select<{ next: number }>(
      'select next_nonce as next from wallet_nonce where wallet_id = $1::uuid and chain_id = $2',
      [walletId, chainId],
    )
  )[0]?.next;

/** Sets the next nonce; the caller has locked it. */
export const updateNonce = async (session: Session, walletId: string, chainId: number, next: number): Promise<void> => {
  await session.run('update wallet_nonce set next_nonce = $3 where wallet_id = $1::uuid and chain_id = $2', [
    walletId,
    chainId,
    next,
  ]);
};
