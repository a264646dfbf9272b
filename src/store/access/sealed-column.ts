import { SEALED_KEY_ID } from '../../config/secret.js';
import type { Session } from '../../db/statement.js';
import { type RowOf, selectQuery, writeQuery } from '../query-function.js';

export type SealedRow = RowOf<`${Table}_lock_seals`>;

/** The tables with sealed values. */
type Table = 'managed_signer' | 'host_webhook' | 'wallet' | 'webhook_secret' | 'reserved_account';

/** PostgreSQL counts bytes from 1. */
const KEY_ID = `from ${SEALED_KEY_ID.from + 1} for ${SEALED_KEY_ID.length}`;

/**
 * A column of sealed values. Each value is bound to the id of its row, the context of `MasterKey.seal`.
 * @param id the column of that id
 * @param purpose the purpose of `MasterKey.seal`
 */
const sealedColumn = <Of extends Table, Purpose extends string>(
  table: Of,
  id: string,
  column: string,
  purpose: Purpose,
) => {
  const named: Table = table;
  const otherKeys = `select ${id}::text as "id!", ${column} as "sealed!" from ${table}
      where substring(${column} ${KEY_ID}) <> :keyIdentity
      order by ${id} limit :limit for update`;
  return {
    table,
    purpose,
    countOtherKeys: selectQuery(
      `${named}_seals_of_other_keys`,
      `select count(*)::integer as "count!" from ${table} where substring(${column} ${KEY_ID}) <> all(:keyIds::bytea[])`,
    ).valueOr('count', 0),
    lockOtherKeys: {
      wait: writeQuery(`${named}_lock_seals`, otherKeys).rows(),
      skip: writeQuery(`${named}_lock_free_seals`, `${otherKeys} skip locked`).rows(),
    },
    update: writeQuery(
      `${named}_update_seals`,
      `update ${table} t set ${column} = u.sealed
       from unnest(:ids::text[], :seals::bytea[]) as u (id, sealed) where t.${id}::text = u.id`,
    ).done(),
  };
};

/** Seeds of the keys that apps sign with. */
export const SIGNER_SEAL = sealedColumn('managed_signer', 'id', 'sealed_seed', 'signer');

/** Secrets that calls to the webhooks of host apps are signed with. */
export const HOST_WEBHOOK_SEAL = sealedColumn('host_webhook', 'app_id', 'sealed_secret', 'host-webhook');

/** Private keys of wallets. */
export const WALLET_SEAL = sealedColumn('wallet', 'id', 'sealed_key', 'wallet');

/** Secrets that deliveries to webhooks are signed with. */
export const WEBHOOK_SEAL = sealedColumn('webhook_secret', 'id', 'sealed_value', 'webhook');

/** Private keys of accounts that are reserved for people. */
export const RESERVED_ACCOUNT_SEAL = sealedColumn('reserved_account', 'id', 'sealed_key', 'reserved-account');

type SealedColumn = ReturnType<typeof sealedColumn>;

/** Every column with sealed values: one that is not listed here is lost when the master key changes. */
export const sealedColumns: readonly SealedColumn[] = [
  SIGNER_SEAL,
  HOST_WEBHOOK_SEAL,
  WALLET_SEAL,
  WEBHOOK_SEAL,
  RESERVED_ACCOUNT_SEAL,
];

/** @returns how many values were sealed under none of these keys (`MasterKey.ids`). */
export const selectOtherKeySealCount = async (session: Session, keyIds: readonly Buffer[]): Promise<number> => {
  let count = 0;
  for (const { countOtherKeys } of sealedColumns) count += await countOtherKeys(session, { keyIds });
  return count;
};

/**
 * @param locked what to do about rows that other transactions have locked
 * @returns some values that another key than this one sealed, locked until the transaction ends
 */
export const selectOtherKeySeals = (
  session: Session,
  { lockOtherKeys }: SealedColumn,
  keyIdentity: Buffer,
  { limit, locked }: { readonly limit: number; readonly locked: 'skip' | 'wait' },
): Promise<SealedRow[]> => lockOtherKeys[locked](session, { keyIdentity, limit });

/** Replaces sealed values. */
export const updateSeals = (session: Session, { update }: SealedColumn, rows: readonly SealedRow[]): Promise<void> =>
  update(session, { ids: rows.map((row) => row.id), seals: rows.map((row) => row.sealed) });
