import { type RowOf, selectQuery, writeQuery, writeRows } from '../query-function.js';
import type { StpChain } from './chain.js';

/** What a subscription contract reports about itself, apart from prices and subscriptions. */
export interface StpDescription {
  /** 40 hex digits. */
  readonly owner: string;
  /** Safe to display, as is the symbol; empty if it does not report one. */
  readonly name: string;
  readonly symbol: string;
  /** Address of its metadata; empty: none. */
  readonly uri: string;
}

/** A contract that was read. */
export interface ReadStpContract {
  /** 40 hex digits. */
  readonly address: string;
  /** Undefined: it is no subscription contract. */
  readonly description: StpDescription | undefined;
}

/**
 * @param due `depth`: a contract is read again until it was read this many blocks after the latest event about its
 *   owner; `before`: contracts that were last read before this time are read again
 * @returns addresses (40 hex digits) of contracts to read, those that were never read first
 */
export const selectUnreadStpContracts = selectQuery(
  'select_unread_stp_contracts',
  `select encode(address, 'hex') as "address!" from stp_contract
    where network = :network and chain_id = :chainId
      and (read_at is null or read_at < :before or read_block < changed_block + :depth)
    order by read_at nulls first, address
    limit :limit`,
).column(
  'address',
  ({ network, chainId }: StpChain, due: { readonly before: Date; readonly depth: number }, limit: number) => ({
    network,
    chainId,
    before: due.before,
    depth: due.depth,
    limit,
  }),
);

/** Stores what contracts reported at a block. A picture from another metadata address is forgotten. */
export const updateStpContracts = writeRows(
  'update_stp_contracts',
  { address: 'text', owner: 'text', name: 'text', symbol: 'text', uri: 'text' },
  (rows) => `update stp_contract c
        set owner = decode(r.owner, 'hex'), name = r.name, symbol = r.symbol, uri = r.uri,
            art_url = case when c.uri is not distinct from r.uri then c.art_url end,
            read_at = :readAt, read_block = :readBlock
       from (${rows}) r
      where c.network = :network and c.chain_id = :chainId and c.address = decode(r.address, 'hex')`,
).done(
  (
    { network, chainId }: StpChain,
    contracts: readonly ReadStpContract[],
    read: { readonly at: Date; readonly block: number },
  ) => [
    contracts.map(({ address, description }) => ({
      address,
      owner: description?.owner ?? null,
      name: description?.name ?? null,
      symbol: description?.symbol ?? null,
      uri: description?.uri ?? null,
    })),
    { network, chainId, readAt: read.at, readBlock: read.block },
  ],
);

/** A contract whose metadata is to be fetched; `address` has 40 hex digits. */
export type StpArtRow = RowOf<'select_due_stp_art'>;

/**
 * @param due `before`: metadata that was last fetched before this time is fetched again; `failedBefore`: so is
 *   metadata without a picture
 */
export const selectDueStpArt = selectQuery(
  'select_due_stp_art',
  `select network, chain_id as "chainId", encode(address, 'hex') as "address!", uri as "uri!" from stp_contract
    where uri <> ''
      and (art_at is null or art_uri is distinct from uri or art_at < :before or art_url is null and art_at < :failedBefore)
    order by art_at nulls first, address
    limit :limit`,
).rows((due: { readonly before: Date; readonly failedBefore: Date }, limit: number) => ({
  before: due.before,
  failedBefore: due.failedBefore,
  limit,
}));

/**
 * Stores the picture of a contract, unless its metadata address has changed meanwhile.
 * @param artUrl undefined: the metadata could not be read, or has no picture; the former picture stays
 */
export const updateStpArt = writeQuery(
  'update_stp_art',
  `update stp_contract set art_url = coalesce(:artUrl?, art_url), art_uri = :uri, art_at = :now
    where network = :network and chain_id = :chainId and address = decode(:address, 'hex') and uri = :uri`,
).done(({ network, chainId, address, uri }: StpArtRow, artUrl: string | undefined, now: Date) => ({
  network,
  chainId,
  address,
  uri,
  artUrl: artUrl ?? null,
  now,
}));
