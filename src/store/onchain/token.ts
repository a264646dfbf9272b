import type { Session } from '../../db/statement.js';
import { readQuery, selectQuery, writeQuery } from '../query-function.js';

/** A contract that was read. */
export interface ReadToken {
  /** 40 hex digits. */
  readonly address: string;
  /** Null: it is no ERC-20 token. */
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number } | null;
}

/** Of a wallet that is flooded with worthless tokens the oldest are dropped, so that reading it stays fast. */
const MAX_TOKENS = 500;

/**
 * @param wallets 40 hex digits each
 * @returns tokens that any of the wallets received, the latest first, at most 500; `address` has 40 hex digits, lower case
 */
export const selectReceivedTokens = readQuery(
  'chain_token_of_wallet',
  `select encode(t.address, 'hex') as "address!", t.name as "name!", t.symbol as "symbol!", t.decimals as "decimals!"
     from wallet_token w
     join chain_token t on t.chain_id = w.chain_id and t.address = w.token
    where w.chain_id = :chainId and w.wallet = any(array(select decode(unnest(:wallets::text[]), 'hex'))) and t.decimals is not null
    group by t.chain_id, t.address
    order by max(w.block) desc, t.address
    limit ${MAX_TOKENS}`,
).rows((chainId: number, wallets: readonly string[]) => ({ chainId, wallets }));

/** @returns those of the addresses (40 hex digits) whose contracts were not read since a time. */
export const selectUnreadTokens = selectQuery(
  'select_unread_tokens',
  `select a.address as "address!"
     from unnest(:addresses::text[]) as a (address)
     left join chain_token t on t.chain_id = :chainId and t.address = decode(a.address, 'hex') and t.read_at >= :since
    where t.address is null`,
).column('address', (chainId: number, addresses: readonly string[], since: Date) => ({ chainId, addresses, since }));

const upsertTokens = writeQuery(
  'upsert_chain_tokens',
  `insert into chain_token (chain_id, address, decimals, name, symbol, read_at)
    select :chainId, decode(address, 'hex'), decimals, name, symbol, :now
      from unnest(:addresses::text[], :decimals?::smallint[], :names?::text[], :symbols?::text[]) as t (address, decimals, name, symbol)
    on conflict (chain_id, address) do update
       set decimals = excluded.decimals, name = excluded.name, symbol = excluded.symbol, read_at = excluded.read_at`,
).done();

/** Stores what was read of contracts, in place of earlier reads. */
export const upsertChainTokens = async (
  session: Session,
  chainId: number,
  tokens: readonly ReadToken[],
  now: Date,
): Promise<void> => {
  // Always in one order, so that two searches do not deadlock.
  const sorted = [...tokens].sort((a, b) => (a.address < b.address ? -1 : 1));
  await upsertTokens(session, {
    chainId,
    addresses: sorted.map(({ address }) => address),
    decimals: sorted.map(({ token }) => token?.decimals ?? null),
    names: sorted.map(({ token }) => token?.name ?? null),
    symbols: sorted.map(({ token }) => token?.symbol ?? null),
    now,
  });
};
