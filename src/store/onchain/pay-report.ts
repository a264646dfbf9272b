import { selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';

/** Stores the hash of a transaction that is said to pay a page, or the time at which it was reported again. */
export const upsertPayReport = writeQuery(
  'upsert_pay_report',
  `insert into pay_report (pay_frame_id, tx_hash, reported_at) values (:frameId::uuid, :hash, :now)
   on conflict (pay_frame_id, tx_hash) do update set reported_at = excluded.reported_at`,
).done((frameId: string, hash: Uint8Array, now: Date) => ({ frameId, hash, now }));

/** Deletes the reports of a page from before a time, and all but the newest ones. */
export const deleteOldPayReports = writeQuery(
  'delete_old_pay_reports',
  `delete from pay_report
    where pay_frame_id = :frameId::uuid
      and (reported_at < :before or tx_hash not in (
        select tx_hash from pay_report where pay_frame_id = :frameId::uuid order by reported_at desc, tx_hash limit :most))`,
).done((frameId: string, before: Date, most: number) => ({ frameId, before, most }));

/** Deletes a report that the chain decided. */
export const deletePayReport = writeQuery(
  'delete_pay_report',
  'delete from pay_report where pay_frame_id = :frameId::uuid and tx_hash = :hash',
).done((frameId: string, hash: Uint8Array) => ({ frameId, hash }));

/** @returns the hashes of transactions that were reported for a page and are not decided; newest first. */
export const selectPayReports = selectQuery(
  'pay_reports',
  'select tx_hash as hash from pay_report where pay_frame_id = :frameId::uuid order by reported_at desc, tx_hash',
).column('hash', (frameId: string) => ({ frameId }));

const TRANSFER = ['chain_id', 'tx_hash', 'log_index', 'pay_frame_id', 'payer', 'block', 'counted_at'] as const;

/**
 * Counts a transfer as the payment of a page.
 * @returns false if it was counted already, or the page has a payment
 */
export const insertPayTransfer = writeQuery(
  'insert_pay_transfer',
  insertText('pay_transfer', TRANSFER, 'on conflict do nothing returning block'),
).hasRows();
