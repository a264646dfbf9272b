import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { type RowOf, selectQuery, writeQuery, writeRows } from '../query-function.js';
import type { StpChain } from './chain.js';

/** A factory of subscription contracts. */
export interface StpFactoryKey extends StpChain {
  /** 40 hex digits. */
  readonly address: string;
}

/**
 * How far the events of a factory and its contracts are searched. `nextBlock` is the first block that was not searched
 * yet, `span` how many blocks the endpoint accepts in one request. `anchorBlock` is a searched block, null: none yet;
 * `isDoubted`, whether the last round found another hash than `anchorHash` (32 bytes) there. `refusedAt` is when the
 * endpoint rejected even a single block; null: it searches.
 */
export type StpSearchRow = RowOf<'select_stp_search'>;

const keyOf = ({ network, chainId, address }: StpFactoryKey) => ({ network, chainId, address });

const insertSearch = writeQuery(
  'insert_stp_search',
  `insert into stp_factory (network, chain_id, address, next_block, span) values (:network, :chainId, decode(:address, 'hex'), :block, :span)
    on conflict (network, chain_id, address) do nothing`,
).done();
const selectSearch = selectQuery(
  'select_stp_search',
  `select next_block as "nextBlock", span, anchor_block as "anchorBlock", anchor_hash as "anchorHash",
          is_doubted as "isDoubted", refused_at as "refusedAt"
     from stp_factory
    where network = :network and chain_id = :chainId and address = decode(:address, 'hex')`,
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
  await insertSearch(db, { ...keyOf(factory), block: begin.block, span: begin.span });
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
      set next_block = :next, span = :span, reached_at = coalesce(:reachedAt?, reached_at), refused_at = null
    where network = :network and chain_id = :chainId and address = decode(:address, 'hex') and next_block = :from
    returning 1`,
).hasRows(
  (
    factory: StpFactoryKey,
    from: number,
    progress: { readonly next: number; readonly span: number; readonly reachedAt: Date | null },
  ) => ({ ...keyOf(factory), from, next: progress.next, span: progress.span, reachedAt: progress.reachedAt }),
);

/** @param refusedAt now, if the endpoint rejects even a single block */
export const updateStpSpan = writeQuery(
  'update_stp_span',
  `update stp_factory set span = :span, refused_at = :refusedAt?
    where network = :network and chain_id = :chainId and address = decode(:address, 'hex')`,
).done((factory: StpFactoryKey, span: number, refusedAt: Date | null) => ({ ...keyOf(factory), span, refusedAt }));

export const updateStpAnchor = writeQuery(
  'update_stp_anchor',
  `update stp_factory set anchor_block = :block, anchor_hash = :hash
    where network = :network and chain_id = :chainId and address = decode(:address, 'hex')`,
).done((factory: StpFactoryKey, anchor: { readonly block: number; readonly hash: Uint8Array }) => ({
  ...keyOf(factory),
  block: anchor.block,
  hash: anchor.hash,
}));

/** Stores whether a round found another hash at the anchor. */
export const updateStpDoubt = writeQuery(
  'update_stp_doubt',
  `update stp_factory set is_doubted = :isDoubted where network = :network and chain_id = :chainId and address = decode(:address, 'hex')`,
).done((factory: StpFactoryKey, isDoubted: boolean) => ({ ...keyOf(factory), isDoubted }));

/** Forgets a factory with its contracts and tokens, because its chain was replaced by another one. */
export const deleteStpSearch = writeQuery(
  'delete_stp_search',
  `with searched as (
     delete from stp_factory where network = :network and chain_id = :chainId and address = decode(:address, 'hex')
   )
   delete from stp_contract where network = :network and chain_id = :chainId and factory = decode(:address, 'hex')`,
).done(keyOf);

/** @returns the addresses (40 hex digits) of the contracts that a factory deployed */
export const selectStpContracts = selectQuery(
  'select_stp_contracts_of_factory',
  `select encode(address, 'hex') as "address!" from stp_contract
    where network = :network and chain_id = :chainId and factory = decode(:address, 'hex')
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

const deleteContracts = writeQuery(
  'delete_stp_contracts',
  `delete from stp_contract
    where network = :network and chain_id = :chainId and factory = decode(:address, 'hex') and block between :from and :last
      and not address = any(array(select decode(unnest(:names::text[]), 'hex')))`,
).done();
const upsertContracts = writeRows(
  'upsert_stp_contracts',
  { address: 'text', block: 'bigint' },
  (rows) => `insert into stp_contract as c (network, chain_id, factory, address, block, changed_block)
    select :network::text, :chainId::bigint, decode(:address, 'hex'), decode(r.address, 'hex'), r.block, r.block from (${rows}) r
    on conflict (network, chain_id, address) do update
       set block = excluded.block, changed_block = greatest(c.changed_block, excluded.block)
     where c.factory = excluded.factory and c.block <> excluded.block`,
).done();

/** Makes the contracts of a factory in a range exactly these. Tokens of those that are gone go with them. */
export const replaceStpContracts = async (
  session: Session,
  factory: StpFactoryKey,
  { first: from, last }: BlockRange,
  contracts: readonly DeployedContract[],
): Promise<void> => {
  const names = contracts.map(({ address }) => address);
  await deleteContracts(session, { ...keyOf(factory), from, last, names });
  await upsertContracts(session, contracts, keyOf(factory));
};

/** A contract that was given to another owner, and the block of the event. */
export type ChangedContract = DeployedContract;

/** Marks contracts to be read again. */
export const updateStpChanged = writeRows(
  'update_stp_changed',
  { address: 'text', block: 'bigint' },
  (rows) => `update stp_contract c set changed_block = r.block
      from (select address, max(block) as block from (${rows}) u group by address) r
     where c.network = :network and c.chain_id = :chainId and c.factory = decode(:address, 'hex')
       and c.address = decode(r.address, 'hex') and c.changed_block < r.block`,
).done((factory: StpFactoryKey, contracts: readonly ChangedContract[]) => [contracts, keyOf(factory)]);

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

const deleteTransfers = writeQuery(
  'delete_stp_transfers',
  `delete from stp_transfer t using stp_contract c
    where c.network = :network and c.chain_id = :chainId and c.factory = decode(:address, 'hex')
      and t.network = c.network and t.chain_id = c.chain_id and t.contract = c.address
      and t.block between :from and :last`,
).done();
const insertTransfers = writeRows(
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
      join stp_contract c on c.network = :network and c.chain_id = :chainId and c.factory = decode(:address, 'hex')
                         and c.address = decode(r.contract, 'hex')
    on conflict do nothing`,
).done();

/** Makes the transfers of a factory's contracts in a range exactly these. */
export const replaceStpTransfers = async (
  session: Session,
  factory: StpFactoryKey,
  { first: from, last }: BlockRange,
  transfers: readonly StpTransfer[],
): Promise<void> => {
  await deleteTransfers(session, { ...keyOf(factory), from, last });
  await insertTransfers(session, transfers, keyOf(factory));
};

/** @returns networks with a factory whose search has not reached the newest block since then */
export const selectUnreachedStpNetworks = selectQuery(
  'select_stp_unreached',
  `select f.network as "network!"
     from unnest(:networks::text[], :chainIds::bigint[], :addresses::text[]) as f (network, chain_id, address)
     left join stp_factory s on s.network = f.network and s.chain_id = f.chain_id and s.address = decode(f.address, 'hex')
    where s.reached_at is null or s.reached_at < :since
    group by f.network`,
).column('network', (factories: readonly StpFactoryKey[], since: Date) => ({
  networks: factories.map((row) => row.network),
  chainIds: factories.map((row) => row.chainId),
  addresses: factories.map((row) => row.address),
  since,
}));
