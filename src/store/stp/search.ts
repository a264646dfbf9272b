import { bulkStatement, runRows } from '../../db/bulk-statement.js';
import type { Database } from '../../db/database.js';
import { type Session, sql } from '../../db/statement.js';
import { selectQuery, writeQuery, writeRows } from '../query-function.js';
import { arraysOf } from '../table.js';
import type { StpChain } from './chain.js';

/** A factory of subscription contracts. */
export interface StpFactoryKey extends StpChain {
  /** 40 hex digits. */
  readonly address: string;
}

/** How far the events of a factory and its contracts are searched. */
export interface StpSearchRow {
  /** The first block that was not searched yet. */
  readonly next_block: number;
  /** How many blocks the endpoint accepts in one request. */
  readonly span: number;
  /** A searched block; null: none yet. */
  readonly anchor_block: number | null;
  /** 32 bytes. */
  readonly anchor_hash: Buffer | null;
  /** Whether the last round found another hash there. */
  readonly is_doubted: boolean;
  /** When the endpoint rejected even a single block; null: it searches. */
  readonly refused_at: Date | null;
}

const keyOf = ({ network, chainId, address }: StpFactoryKey) => [network, chainId, address] as const;

const insertSearchSql = sql(
  'insert_stp_search',
  `insert into stp_factory (network, chain_id, address, next_block, span) values ($1, $2, decode($3, 'hex'), $4, $5)
    on conflict (network, chain_id, address) do nothing`,
);
const selectSearch = selectQuery<StpSearchRow>(
  'select_stp_search',
  `select next_block, span, anchor_block, anchor_hash, is_doubted, refused_at from stp_factory
    where network = $1 and chain_id = $2 and address = decode($3, 'hex')`,
).one(keyOf);

/**
 * @param begin where the search of a factory begins that was not searched yet
 * @returns how far the search is
 */
export const ensureStpSearch = async (
  db: Database,
  factory: StpFactoryKey,
  begin: { readonly block: number; readonly span: number },
): Promise<StpSearchRow> => {
  await db.run(insertSearchSql, [...keyOf(factory), begin.block, begin.span]);
  return selectSearch(db, factory);
};

/**
 * Stores the progress of a search.
 * @param progress `reachedAt`: now, if it reached the newest block
 * @returns false if another process has searched meanwhile; then nothing may be stored
 */
export const updateStpSearch = writeQuery(
  'update_stp_search',
  `update stp_factory
      set next_block = $5, span = $6, reached_at = coalesce($7, reached_at), refused_at = null
    where network = $1 and chain_id = $2 and address = decode($3, 'hex') and next_block = $4
    returning 1`,
).hasRows(
  (
    factory: StpFactoryKey,
    from: number,
    progress: { readonly next: number; readonly span: number; readonly reachedAt: Date | null },
  ) => [...keyOf(factory), from, progress.next, progress.span, progress.reachedAt],
);

/** @param refusedAt now, if the endpoint rejects even a single block */
export const updateStpSpan = writeQuery(
  'update_stp_span',
  `update stp_factory set span = $4, refused_at = $5
    where network = $1 and chain_id = $2 and address = decode($3, 'hex')`,
).done((factory: StpFactoryKey, span: number, refusedAt: Date | null) => [...keyOf(factory), span, refusedAt]);

export const updateStpAnchor = writeQuery(
  'update_stp_anchor',
  `update stp_factory set anchor_block = $4, anchor_hash = $5
    where network = $1 and chain_id = $2 and address = decode($3, 'hex')`,
).done((factory: StpFactoryKey, anchor: { readonly block: number; readonly hash: Uint8Array }) => [
  ...keyOf(factory),
  anchor.block,
  anchor.hash,
]);

/** Stores whether a round found another hash at the anchor. */
export const updateStpDoubt = writeQuery(
  'update_stp_doubt',
  `update stp_factory set is_doubted = $4 where network = $1 and chain_id = $2 and address = decode($3, 'hex')`,
).done((factory: StpFactoryKey, isDoubted: boolean) => [...keyOf(factory), isDoubted]);

/** Forgets a factory with its contracts and tokens, because its chain was replaced by another one. */
export const deleteStpSearch = writeQuery(
  'delete_stp_search',
  `with searched as (
     delete from stp_factory where network = $1 and chain_id = $2 and address = decode($3, 'hex')
   )
   delete from stp_contract where network = $1 and chain_id = $2 and factory = decode($3, 'hex')`,
).done(keyOf);

/** @returns the addresses (40 hex digits) of the contracts that a factory deployed */
export const selectStpContracts = selectQuery<{ address: string }>(
  'select_stp_contracts_of_factory',
  `select encode(address, 'hex') as address from stp_contract
    where network = $1 and chain_id = $2 and factory = decode($3, 'hex')
    order by block, address`,
).column('address', keyOf);

/** Blocks whose events are stored: both ends belong to them. */
export interface BlockRange {
  readonly first: number;
  readonly last: number;
}

/** A contract that the factory deployed. */
export interface DeployedContract {
  /** 40 hex digits. */
  readonly address: string;
  readonly block: number;
}

const deleteContractsSql = sql(
  'delete_stp_contracts',
  `delete from stp_contract
    where network = $1 and chain_id = $2 and factory = decode($3, 'hex') and block between $4 and $5
      and not address = any(array(select decode(unnest($6::text[]), 'hex')))`,
);
const upsertContracts = bulkStatement(
  'upsert_stp_contracts',
  { address: 'text', block: 'bigint' },
  (rows) => `insert into stp_contract as c (network, chain_id, factory, address, block, changed_block)
    select $3::text, $4::bigint, decode($5, 'hex'), decode(r.address, 'hex'), r.block, r.block from (${rows}) r
    on conflict (network, chain_id, address) do update
       set block = excluded.block, changed_block = greatest(c.changed_block, excluded.block)
     where c.factory = excluded.factory and c.block <> excluded.block`,
);

/** Makes the contracts of a factory in a range exactly these. Tokens of those that are gone go with them. */
export const replaceStpContracts = async (
  session: Session,
  factory: StpFactoryKey,
  { first: from, last }: BlockRange,
  contracts: readonly DeployedContract[],
): Promise<void> => {
  const names = contracts.map(({ address }) => address);
  await session.run(deleteContractsSql, [...keyOf(factory), from, last, names]);
  await runRows(session, upsertContracts, contracts, ...keyOf(factory));
};

/** A contract that was given to another owner, and the block of the event. */
export type ChangedContract = DeployedContract;

/** Marks contracts to be read again. */
export const updateStpChanged = writeRows(
  'update_stp_changed',
  { address: 'text', block: 'bigint' },
  (rows) => `update stp_contract c set changed_block = r.block
      from (select address, max(block) as block from (${rows}) u group by address) r
     where c.network = $3 and c.chain_id = $4 and c.factory = decode($5, 'hex')
       and c.address = decode(r.address, 'hex') and c.changed_block < r.block`,
).done((factory: StpFactoryKey, contracts: readonly ChangedContract[]) => [contracts, ...keyOf(factory)]);

/** A token that got a new owner. */
export interface StpTransfer {
  /** 40 hex digits. */
  readonly contract: string;
  /** Decimal. */
  readonly tokenId: string;
  readonly block: number;
  readonly logIndex: number;
  /** 40 hex digits; zeros: the token was burned. */
  readonly recipient: string;
  /** Time of the block. */
  readonly at: Date;
}

const deleteTransfersSql = sql(
  'delete_stp_transfers',
  `delete from stp_transfer t using stp_contract c
    where c.network = $1 and c.chain_id = $2 and c.factory = decode($3, 'hex')
      and t.network = c.network and t.chain_id = c.chain_id and t.contract = c.address
      and t.block between $4 and $5`,
);
const insertTransfers = bulkStatement(
  'insert_stp_transfers',
  {
    contract: 'text',
    token_id: 'numeric',
    block: 'bigint',
    log_index: 'integer',
    recipient: 'text',
    at: 'timestamptz',
  },
  (rows) => `insert into stp_transfer (network, chain_id, contract, token_id, block, log_index, recipient, at)
    select c.network, c.chain_id, c.address, r.token_id, r.block, r.log_index, decode(r.recipient, 'hex'), r.at
      from (${rows}) r
      join stp_contract c on c.network = $7 and c.chain_id = $8 and c.factory = decode($9, 'hex')
                         and c.address = decode(r.contract, 'hex')
    on conflict do nothing`,
);

/** Makes the transfers of a factory's contracts in a range exactly these. */
export const replaceStpTransfers = async (
  session: Session,
  factory: StpFactoryKey,
  { first: from, last }: BlockRange,
  transfers: readonly StpTransfer[],
): Promise<void> => {
  await session.run(deleteTransfersSql, [...keyOf(factory), from, last]);
  await runRows(session, insertTransfers, transfers, ...keyOf(factory));
};

/** @returns networks with a factory whose search has not reached the newest block since then */
export const selectUnreachedStpNetworks = selectQuery<{ network: string }>(
  'select_stp_unreached',
  `select f.network
     from unnest($1::text[], $2::bigint[], $3::text[]) as f (network, chain_id, address)
     left join stp_factory s on s.network = f.network and s.chain_id = f.chain_id and s.address = decode(f.address, 'hex')
    where s.reached_at is null or s.reached_at < $4
    group by f.network`,
).column('network', (factories: readonly StpFactoryKey[], since: Date) => [
  ...arraysOf(factories, 'network', 'chainId', 'address'),
  since,
]);
