import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, columnList, first, hasRows, insertText, valuesOf, type Written } from '../table.js';
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

const insertRegistrationSql = sql(
  'insert_account_registration',
  insertText('account_registration', COLUMNS, 'on conflict (fid) do nothing returning fid'),
);

/** @returns whether there was no registration of this account yet */
export const insertRegistration = (
  session: Session,
  row: Camel<Written<Omit<Tables['account_registration'], 'profile'>>> & {
    /** JSON; null: nothing is to be written */
    readonly profile: string | null;
  },
): Promise<boolean> => hasRows(session.run(insertRegistrationSql, valuesOf(COLUMNS, row)));

const selectRegistrationSql = sql<AccountRegistrationRow>(
  'select_account_registration',
  `select ${LIST} from account_registration where fid = $1`,
);

export const selectRegistration = (session: Session, fid: number): Promise<AccountRegistrationRow | undefined> =>
  first(session.select(selectRegistrationSql, [fid]));

const updateRegistrationSentSql = sql(
  'update_account_registration_sent',
  `update account_registration set state = 'sent', transaction_id = $2::uuid where fid = $1 and state = 'begun'
   returning fid`,
);

/** @returns false if another request sent its transaction first */
export const updateRegistrationSent = (session: Session, fid: number, transactionId: string): Promise<boolean> =>
  hasRows(session.run(updateRegistrationSentSql, [fid, transactionId]));

const updateRegistrationTransferredSql = sql(
  'update_account_registration_transferred',
  `update account_registration set state = 'transferred', retry_at = $2 where fid = $1 and state = 'sent' returning fid`,
);

/** @returns whether the transfer was not stored before */
export const updateRegistrationTransferred = (session: Session, fid: number, retryAt: Date): Promise<boolean> =>
  hasRows(session.run(updateRegistrationTransferredSql, [fid, retryAt]));

const updateRegistrationDoneSql = sql(
  'update_account_registration_done',
  `update account_registration set state = 'done', profile = null, retry_at = null where fid = $1 and state = 'transferred'`,
);

/** The profile is written, or given up. */
export const updateRegistrationDone = (session: Session, fid: number): Promise<void> =>
  execute(session, updateRegistrationDoneSql, [fid]);

const updateRegistrationRetrySql = sql(
  'update_account_registration_retry',
  `update account_registration set retry_at = $2 where fid = $1 and state = 'transferred'`,
);

export const updateRegistrationRetry = (session: Session, fid: number, retryAt: Date): Promise<void> =>
  execute(session, updateRegistrationRetrySql, [fid, retryAt]);

const deleteRegistrationSql = sql(
  'delete_account_registration',
  `delete from account_registration where fid = $1 and state = any($2::text[]) returning fid`,
);

/** @returns whether the registration was in one of these states and is deleted */
export const deleteRegistration = (
  session: Session,
  fid: number,
  states: readonly AccountRegistrationRow['state'][],
): Promise<boolean> => hasRows(session.run(deleteRegistrationSql, [fid, states]));

const selectOpenRegistrationsSql = sql<AccountRegistrationRow>(
  'select_open_account_registrations',
  `select ${LIST} from account_registration
    where state = 'sent' or (state = 'transferred' and retry_at <= $1) or (state = 'begun' and created_at < $2)
    order by created_at limit $3`,
);

/**
 * @param begunBefore registrations that began before that and sent nothing are abandoned
 * @returns registrations that a job has to continue, the oldest first
 */
export const selectOpenRegistrations = (
  session: Session,
  { now, begunBefore, limit }: { readonly now: Date; readonly begunBefore: Date; readonly limit: number },
): Promise<AccountRegistrationRow[]> => session.select(selectOpenRegistrationsSql, [now, begunBefore, limit]);
