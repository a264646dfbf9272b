import { readQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = [
  'id',
  'app_id',
  'network',
  'chain_id',
  'recipient',
  'token',
  'amount',
  'units',
  'symbol',
  'created_block',
  'config',
  'created_at',
] as const;

/** A page that collects a payment, as it was made. `units` is a digit string. */
export type NewPayFrame = Camel<Pick<Tables['pay_frame'], (typeof COLUMNS)[number]>>;

/** A stored page. */
export interface PayFrameRow extends NewPayFrame {
  /** Of the app that made it. */
  readonly appName: string;
  readonly isCompleted: boolean;
}

/** Stores a page, unless there is one with its id. */
export const insertPayFrame = writeQuery(
  'insert_pay_frame',
  insertText('pay_frame', COLUMNS, 'on conflict (id) do nothing'),
).done((frame: NewPayFrame) => ({ ...frame, config: JSON.stringify(frame.config) }));

/** @param id a UUID @returns undefined if there is no such page */
export const selectPayFrame = readQuery(
  'pay_frame_by_id',
  `select p.id, p.app_id as "appId", p.network, p.chain_id as "chainId", p.recipient, p.token, p.amount,
          p.units::text as "units!", p.symbol, p.created_block as "createdBlock", p.config, p.created_at as "createdAt",
          a.name as "appName",
          exists (select from pay_transfer t where t.pay_frame_id = p.id) as "isCompleted!"
     from pay_frame p join app a on a.id = p.app_id
    where p.id = :id::uuid`,
).first((id: string) => ({ id }));

/**
 * Claims the next check of the chain for a page.
 * @param before nothing is claimed if the last check was after this time
 * @returns whether the caller has to check
 */
export const claimPayCheck = writeQuery(
  'claim_pay_check',
  `update pay_frame set checked_at = :now
    where id = :id::uuid and (checked_at is null or checked_at <= :before) returning id`,
).hasRows((id: string, now: Date, before: Date) => ({ id, now, before }));
