import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

/** A wallet whose Transfer events are searched, and the blocks searched so far. */
export interface TransferSearchRow
  extends Camel<Pick<Tables['transfer_search'], 'chain_id' | 'low' | 'high' | 'budget'>> {
  /** 40 hex digits. */
  readonly wallet: string;
}

/**
 * @param when `refusedSince`: chains whose endpoint rejected searches since then are left out, as are those in their cooldown at `now`
 * @param limit of each chain
 * @returns searches that are due, of each chain those that wait the longest, in this order
 */
export const selectDueSearches = readQuery(
  'transfer_search_due',
  `select s.chain_id as "chainId", encode(s.wallet, 'hex') as "wallet!", s.low, s.high, s.budget
     from unnest(:chainIds::bigint[]) as c (chain_id)
     left join transfer_endpoint e on e.chain_id = c.chain_id
    cross join lateral (
      select d.chain_id, d.wallet, d.low, d.high, d.budget, d.waits_since
        from transfer_search d
       where d.chain_id = c.chain_id and (d.reached_at is null or d.reached_at < d.asked_at)
       order by d.waits_since, d.wallet
       limit :limit
    ) s
    where (e.refused_at is null or e.refused_at < :refusedSince) and (e.away_until is null or e.away_until <= :now)
    order by s.chain_id, s.waits_since, s.wallet`,
).rows(
  (
    chainIds: readonly number[],
    { now, refusedSince }: { readonly now: Date; readonly refusedSince: Date },
    limit: number,
  ) => ({ chainIds, refusedSince, now, limit }),
);

const REREQUEST_MS = 60_000;

/**
 * Requests a search of wallets' events, new ones included. A repetition within a minute does nothing.
 * @param wallets 40 hex digits each
 * @param budget requests that a new search may spend on blocks of the past
 */
export const upsertTransferSearches = writeQuery(
  'upsert_transfer_searches',
  `insert into transfer_search as s (chain_id, wallet, asked_at, waits_since, budget)
    select chain_id, decode(wallet, 'hex'), :now, :now, :budget
      from unnest(:chainIds::bigint[]) as c (chain_id), unnest(:wallets::text[]) as w (wallet)
     order by chain_id, wallet
    on conflict (chain_id, wallet) do update
       set asked_at = excluded.asked_at,
           waits_since = case when s.reached_at >= s.asked_at then excluded.waits_since else s.waits_since end
     where s.asked_at < :repeatedSince`,
).done(
  (
    chainIds: readonly number[],
    wallets: readonly string[],
    { now, budget }: { readonly now: Date; readonly budget: number },
  ) => ({
    chainIds: [...new Set(chainIds)],
    wallets: [...new Set(wallets)],
    now,
    budget,
    repeatedSince: new Date(now.getTime() - REREQUEST_MS),
  }),
);

/** Puts a search at the end of the queue when its turn begins. */
export const updateTransferTurn = writeQuery(
  'update_transfer_turn',
  `update transfer_search set waits_since = :now where chain_id = :chainId and wallet = decode(:wallet, 'hex')`,
).done(({ chainId, wallet }: Pick<TransferSearchRow, 'chainId' | 'wallet'>, now: Date) => ({
  chainId,
  wallet,
  now,
}));

/** Stores the progress of a search. `reachedAt`: when it reached the newest block. */
export const updateTransferSearch = writeQuery(
  'update_transfer_search',
  `update transfer_search set low = :low?, high = :high?, budget = :budget, reached_at = coalesce(:reachedAt?, reached_at)
    where chain_id = :chainId and wallet = decode(:wallet, 'hex')`,
).done((search: TransferSearchRow, reachedAt: Date | null) => ({
  chainId: search.chainId,
  wallet: search.wallet,
  low: search.low,
  high: search.high,
  budget: search.budget,
  reachedAt,
}));

/** A token that a wallet received, and the block of its latest transfer. */
export interface ReceivedToken {
  /** 40 hex digits. */
  readonly token: string;
  readonly block: number;
}

/** Tokens stored for a wallet on a chain; responses show fewer. Any sender can send a wallet any number of them. */
const MAX_RETAINED = 2000;

const upsertTokens = writeQuery(
  'upsert_wallet_tokens',
  `insert into wallet_token as w (chain_id, wallet, token, block)
    select :chainId, decode(:wallet, 'hex'), decode(token, 'hex'), block from unnest(:tokens::text[], :blocks::bigint[]) as t (token, block)
    on conflict (chain_id, wallet, token) do update set block = excluded.block where w.block < excluded.block`,
).done();
const deleteExcessTokens = writeQuery(
  'delete_excess_tokens',
  `delete from wallet_token
    where chain_id = :chainId and wallet = decode(:wallet, 'hex')
      and token in (select token from wallet_token where chain_id = :chainId and wallet = decode(:wallet, 'hex')
                     order by block desc, token offset ${MAX_RETAINED})`,
).done();

/** Stores tokens that a wallet (40 hex digits) received. Only the latest `MAX_RETAINED` are kept. */
export const upsertWalletTokens = async (
  session: Session,
  chainId: number,
  wallet: string,
  tokens: readonly ReceivedToken[],
): Promise<void> => {
  await upsertTokens(session, {
    chainId,
    wallet,
    tokens: tokens.map((row) => row.token),
    blocks: tokens.map((row) => row.block),
  });
  await deleteExcessTokens(session, { chainId, wallet });
};

/** @returns how many blocks the endpoint of a chain accepts in one request; undefined before the first one. */
export const selectTransferSpan = selectQuery(
  'select_transfer_span',
  'select span from transfer_endpoint where chain_id = :chainId',
).value('span', (chainId: number) => ({ chainId }));

/** @param refusal the error for a single block; null: searches work */
export const upsertTransferEndpoint = writeQuery(
  'upsert_transfer_endpoint',
  `insert into transfer_endpoint (chain_id, span, refused_at, refusal) values (:chainId, :span, :at?, :reason?)
    on conflict (chain_id) do update
       set span = excluded.span, refused_at = excluded.refused_at, refusal = excluded.refusal`,
).done((chainId: number, span: number, refusal: { readonly at: Date; readonly reason: string } | null) => ({
  chainId,
  span,
  at: refusal?.at ?? null,
  reason: refusal?.reason ?? null,
}));

const UNAVAILABLE_COOLDOWN_MS = 60_000;
const MAX_DOUBLINGS = 5;

/**
 * Starts the cooldown of an unavailable endpoint: a minute, doubled with each turn in a row, at most 32 minutes.
 * @param span blocks at once that it is asked for later, where none were asked yet
 */
export const upsertUnavailableEndpoint = writeQuery(
  'upsert_unavailable_endpoint',
  `insert into transfer_endpoint as e (chain_id, span, away_turns, away_until)
    values (:chainId, :span, 1, :now::timestamptz + :cooldownMs * interval '1 millisecond')
    on conflict (chain_id) do update
       set away_turns = e.away_turns + 1,
           away_until = :now::timestamptz + :cooldownMs * power(2, least(e.away_turns, :maxDoublings)) * interval '1 millisecond'`,
).done((chainId: number, span: number, now: Date) => ({
  chainId,
  span,
  now,
  cooldownMs: UNAVAILABLE_COOLDOWN_MS,
  maxDoublings: MAX_DOUBLINGS,
}));

/** Marks the endpoint of a chain as available again. */
export const updateAvailableEndpoint = writeQuery(
  'update_available_endpoint',
  'update transfer_endpoint set away_turns = 0, away_until = null where chain_id = :chainId and away_turns > 0',
).done((chainId: number) => ({ chainId }));

const deleteOldWalletTokens = writeQuery(
  'delete_old_wallet_tokens',
  `delete from wallet_token w using transfer_search s
    where s.chain_id = w.chain_id and s.wallet = w.wallet and s.asked_at < :before`,
).done();
const deleteOldSearches = writeQuery(
  'delete_old_transfer_searches',
  'delete from transfer_search where asked_at < :before',
).done();
const deleteUnusedTokens = writeQuery(
  'delete_unused_tokens',
  `delete from chain_token t
    where t.read_at < :before
      and not exists (select from wallet_token w where w.chain_id = t.chain_id and w.token = t.address)`,
).done();

/** Deletes wallets that were not requested since a time, and tokens that no wallet is left for. */
export const deleteOldTransferSearches = async (db: Database, before: Date): Promise<void> => {
  await db.transaction(async (session) => {
    await deleteOldWalletTokens(session, { before });
    await deleteOldSearches(session, { before });
    await deleteUnusedTokens(session, { before });
  });
};
