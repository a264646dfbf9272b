import { insertRows, selectQuery, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** `type` is an `OnChainEventType` of the protocol, `body` the protobuf `OnChainEvent`. */
export type OnchainEventRow = Camel<Written<Tables['onchain_event']>>;

/** @returns the events that were not stored before */
export const insertOnchainEvents = insertRows(
  'insert_onchain_events',
  'onchain_event',
  {
    fid: 'bigint',
    type: 'smallint',
    block_number: 'bigint',
    log_index: 'integer',
    transaction_hash: 'bytea',
    body: 'bytea',
  },
  // An earlier version stored registrations of channels (type 6) without their bodies: such a row is new.
  `on conflict (fid, type, block_number, log_index, transaction_hash) do update set body = excluded.body
    where onchain_event.type = 6 and octet_length(onchain_event.body) < octet_length(excluded.body)
   returning fid, type, block_number as "blockNumber", log_index as "logIndex", transaction_hash as "transactionHash"`,
).rows((rows: readonly OnchainEventRow[]) => [rows]);

/**
 * A transaction is in one block. After a reorganization of the chain it may be in another one, and its events in the
 * former block never happened.
 * @param rows events that are about to be inserted, with the 32-byte hashes of their blocks
 */
export const deleteReplacedOnchainEvents = writeRows(
  'delete_replaced_onchain_events',
  { fid: 'bigint', type: 'smallint', transaction_hash: 'bytea', block_hash: 'bytea' },
  (rows) => `delete from onchain_event e using (${rows}) n
    where e.fid = n.fid and e.type = n.type and e.transaction_hash = n.transaction_hash
      and position(n.block_hash in e.body) = 0`,
).done(
  (
    rows: readonly (Pick<OnchainEventRow, 'fid' | 'type' | 'transactionHash'> & { readonly blockHash: Uint8Array })[],
  ) => [rows],
);

/** @returns the events of these types and fids in chain order */
export const selectOnchainEvents = selectQuery(
  'select_onchain_events',
  `select fid, type, body from onchain_event where fid = any(:fids) and type = any(:types)
    order by fid, block_number, log_index`,
).rows((types: readonly number[], fids: readonly number[]) => (fids.length === 0 ? undefined : { fids, types }));
