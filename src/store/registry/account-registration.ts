import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText } from '../table.js';
import type { Tables } from '../tables.js';

/** A transfer of a reserved account to a person. */
export type AccountRegistrationRow = Camel<Tables['account_registration']>;

const COLUMNS = [
  'fid',
  'reserved_account_id',
  'app_id',
  'body_digest',
  'custody',
  'signer_id',
  'transaction_id',
  'state',
  'profile',
  'retry_at',
  'created_at',
] as const;
const LIST = columnList(COLUMNS);

/** `profile` is JSON; null: nothing is to be written. @returns whether there was no registration of this account yet */
export const insertRegistration = writeQuery(
  'insert_account_registration',
  insertText('account_registration', COLUMNS, 'on conflict (fid) do nothing returning fid'),
).hasRows();

export const selectRegistration = selectQuery(
  'select_account_registration',
  `select ${LIST} from account_registration where fid = :fid`,
).first((fid: number) => ({ fid }));

/** @returns false if another request sent its transaction first */
export const updateRegistrationSent = writeQuery(
  'update_account_registration_sent',
  `update account_registration set state = 'sent', transaction_id = :transactionId::uuid where fid = :fid and state = 'begun'
   returning fid`,
).hasRows((fid: number, transactionId: string) => ({ fid, transactionId }));

/** @returns whether the transfer was not stored before */
export const updateRegistrationTransferred = writeQuery(
  'update_account_registration_transferred',
  `update account_registration set state = 'transferred', retry_at = :retryAt where fid = :fid and state = 'sent' returning fid`,
).hasRows((fid: number, retryAt: Date) => ({ fid, retryAt }));

/** The profile is written, or given up. */
export const updateRegistrationDone = writeQuery(
  'update_account_registration_done',
  `update account_registration set state = 'done', profile = null, retry_at = null where fid = :fid and state = 'transferred'`,
).done((fid: number) => ({ fid }));

export const updateRegistrationRetry = writeQuery(
  'update_account_registration_retry',
  `update account_registration set retry_at = :retryAt where fid = :fid and state = 'transferred'`,
).done((fid: number, retryAt: Date) => ({ fid, retryAt }));

/** @returns whether the registration was unchanged since it was read, and is deleted */
export const deleteRegistration = writeQuery(
  'delete_account_registration',
  `delete from account_registration
    where fid = :fid and state = :state and created_at = :createdAt returning fid`,
).hasRows(({ fid, state, createdAt }: Pick<AccountRegistrationRow, 'fid' | 'state' | 'createdAt'>) => ({
  fid,
  state,
  createdAt,
}));

/**
 * @param begunBefore registrations that began before that and sent nothing are abandoned
 * @returns registrations that a job has to continue, the oldest first
 */
export const selectOpenRegistrations = selectQuery(
  'select_open_account_registrations',
  `select ${LIST} from account_registration
    where state = 'sent' or (state = 'transferred' and retry_at <= :now) or (state = 'begun' and created_at < :begunBefore)
    order by created_at limit :limit`,
).rows(({ now, begunBefore, limit }: { readonly now: Date; readonly begunBefore: Date; readonly limit: number }) => ({
  now,
  begunBefore,
  limit,
}));
