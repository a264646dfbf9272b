import { insertRows } from './bulk.js';
import type { Session } from './database.js';

export interface OnchainEventRow {
  readonly fid: number;
  /** `OnChainEventType` of the protocol. */
  readonly type: number;
  readonly chain_id: number;
  readonly block_number: number;
  readonly log_index: number;
  readonly transaction_hash: Uint8Array;
  /** Unix seconds. */
  readonly block_timestamp: number;
  /** The protobuf `OnChainEvent`. */
  readonly body: Uint8Array;
}

/** @returns those of the events that were not stored yet. */
export const insertOnchainEvents = async (
  session: Session,
  rows: readonly OnchainEventRow[],
): Promise<Pick<OnchainEventRow, 'fid' | 'type' | 'block_number' | 'log_index' | 'transaction_hash'>[]> =>
  insertRows(
    session,
    'onchain_event',
    {
      fid: 'bigint',
      type: 'smallint',
      chain_id: 'bigint',
      block_number: 'bigint',
      log_index: 'integer',
      transaction_hash: 'bytea',
      block_timestamp: 'bigint',
      body: 'bytea',
    },
    rows,
    'on conflict do nothing returning fid, type, block_number, log_index, transaction_hash',
  );

/** @returns the events of these kinds and fids in the order of the chain. */
export const selectOnchainEvents = async (
  session: Session,
  types: readonly number[],
  fids: readonly number[],
): Promise<{ fid: number; type: number; body: Buffer }[]> =>
  fids.length === 0
    ? []
    : session.select(
        `select fid, type, body from onchain_event where fid = any($1) and type = any($2)
          order by fid, block_number, log_index`,
        [fids, types],
      );
