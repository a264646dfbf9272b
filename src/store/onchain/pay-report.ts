import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, hasRows, insertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const upsertPayReportSql = sql(
  'upsert_pay_report',
  `insert into pay_report (pay_frame_id, tx_hash, reported_at) values ($1::uuid, $2, $3)
   on conflict (pay_frame_id, tx_hash) do update set reported_at = excluded.reported_at`,
);

/** Stores the hash of a transaction that is said to pay a page, or the time at which it was reported again. */
export const upsertPayReport = (session: Session, frameId: string, hash: Uint8Array, now: Date): Promise<void> =>
  execute(session, upsertPayReportSql, [frameId, hash, now]);

const deleteOldPayReportsSql = sql(
  'delete_old_pay_reports',
  `delete from pay_report
    where pay_frame_id = $1::uuid
      and (reported_at < $2 or tx_hash not in (
        select tx_hash from pay_report where pay_frame_id = $1::uuid order by reported_at desc, tx_hash limit $3))`,
);

/** Deletes the reports of a page from before a time, and all but the newest ones. */
export const deleteOldPayReports = (session: Session, frameId: string, before: Date, most: number): Promise<void> =>
  execute(session, deleteOldPayReportsSql, [frameId, before, most]);

const deletePayReportSql = sql(
  'delete_pay_report',
  'delete from pay_report where pay_frame_id = $1::uuid and tx_hash = $2',
);

/** Deletes a report that the chain decided. */
export const deletePayReport = (session: Session, frameId: string, hash: Uint8Array): Promise<void> =>
  execute(session, deletePayReportSql, [frameId, hash]);

const payReportsSql = sql<{ hash: Buffer }>(
  'pay_reports',
  'select tx_hash as hash from pay_report where pay_frame_id = $1::uuid order by reported_at desc, tx_hash',
);

/** @returns the hashes of transactions that were reported for a page and are not decided; newest first. */
export const selectPayReports = async (session: Session, frameId: string): Promise<Buffer[]> =>
  (await session.select(payReportsSql, [frameId])).map(({ hash }) => hash);

const TRANSFER = ['chain_id', 'tx_hash', 'log_index', 'pay_frame_id', 'payer', 'block', 'counted_at'] as const;

const insertPayTransferSql = sql<{ block: number }>(
  'insert_pay_transfer',
  insertText('pay_transfer', TRANSFER, 'on conflict do nothing returning block'),
);

/**
 * Counts a transfer as the payment of a page.
 * @returns false if it was counted already, or the page has a payment
 */
export const insertPayTransfer = (
  session: Session,
  transfer: Camel<Written<Pick<Tables['pay_transfer'], (typeof TRANSFER)[number]>>>,
): Promise<boolean> => hasRows(session.run(insertPayTransferSql, valuesOf(TRANSFER, transfer)));
