import { SEALED_KEY_ID } from '../../config/secret.js';
import { type Session, sql } from '../../db/statement.js';

export interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
}

/** PostgreSQL counts bytes from 1. */
const KEY_ID = `from ${SEALED_KEY_ID.from + 1} for ${SEALED_KEY_ID.length}`;

/**
 * A column of sealed values. Each value is bound to the id of its row, the context of `MasterKey.seal`.
 * @param id the column of that id
 * @param purpose the purpose of `MasterKey.seal`
 */
const sealedColumn = <Table extends string, Purpose extends string>(
  table: Table,
  id: string,
  column: string,
  purpose: Purpose,
) => {
  const otherKeys = `select ${id}::text as id, ${column} as sealed from ${table} where substring(${column} ${KEY_ID}) <> $1
      order by ${id} limit $2 for update`;
  return {
    table,
    purpose,
    countOtherKeys: sql<{ count: number }>(
      `${table}_seals_of_other_keys`,
      `select count(*)::integer as count from ${table} where substring(${column} ${KEY_ID}) <> all($1::bytea[])`,
    ),
    lockOtherKeys: {
      wait: sql<SealedRow>(`${table}_lock_seals`, otherKeys),
      skip: sql<SealedRow>(`${table}_lock_free_seals`, `${otherKeys} skip locked`),
    },
    update: sql(
      `${table}_update_seals`,
      `update ${table} t set ${column} = u.sealed
       from unnest($1::text[], $2::bytea[]) as u (id, sealed) where t.${id}::text = u.id`,
    ),
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
  for (const { countOtherKeys } of sealedColumns) {
    const [row] = await session.select(countOtherKeys, [keyIds]);
    count += row?.count ?? 0;
  }
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
): Promise<SealedRow[]> => session.run(lockOtherKeys[locked], [keyIdentity, limit]);

/** Replaces sealed values. */
export const updateSeals = async (
  session: Session,
  { update }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> => {
  await session.run(update, [rows.map((row) => row.id), rows.map((row) => row.sealed)]);
};
