import { SEALED_KEY_ID } from '../config/secret.js';
import type { Session } from './database.js';

/** Where sealed values stand. Each is bound to the id of its row, as `MasterKey.seal` calls its context. */
interface SealedColumn {
  readonly table: string;
  readonly id: string;
  readonly column: string;
  /** Purpose of `MasterKey.seal`. */
  readonly purpose: string;
}

/** Seeds of the keys that apps sign with. */
export const SIGNER_SEAL = { table: 'managed_signer', id: 'id', column: 'sealed_seed', purpose: 'signer' } as const;

/** What calls to the webhooks of host apps are signed with. */
export const HOST_WEBHOOK_SEAL = {
  table: 'host_webhook',
  id: 'app_id',
  column: 'sealed_secret',
  purpose: 'host-webhook',
} as const;

/** Private keys of wallets. */
export const WALLET_SEAL = { table: 'wallet', id: 'id', column: 'sealed_key', purpose: 'wallet' } as const;

/** Every column with sealed values: what is not listed here is lost when the master key changes. */
export const sealedColumns: readonly SealedColumn[] = [SIGNER_SEAL, HOST_WEBHOOK_SEAL, WALLET_SEAL];

/** PostgreSQL counts bytes from 1. */
const keyId = (column: string): string =>
  `substring(${column} from ${SEALED_KEY_ID.from + 1} for ${SEALED_KEY_ID.length})`;

/** @returns how many values were sealed under none of these keys (`MasterKey.ids`). */
export const selectForeignSealCount = async (session: Session, keyIds: readonly Buffer[]): Promise<number> => {
  let count = 0;
  for (const { table, column } of sealedColumns) {
    const [row] = await session.select<{ count: number }>(
      `select count(*)::integer as count from ${table} where ${keyId(column)} <> all($1::bytea[])`,
      [keyIds],
    );
    count += row?.count ?? 0;
  }
  return count;
};

export interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
}

/**
 * @param locked what to do about rows that others hold: pass them over, or wait for them
 * @returns some values that another key than this one sealed, locked until the transaction ends
 */
export const selectForeignSeals = (
  session: Session,
  { table, id, column }: SealedColumn,
  keyIdentity: Buffer,
  { limit, locked }: { readonly limit: number; readonly locked: 'skip' | 'wait' },
): Promise<SealedRow[]> =>
  session.run(
    `select ${id}::text as id, ${column} as sealed from ${table} where ${keyId(column)} <> $1
      order by ${id} limit $2 for update ${locked === 'skip' ? 'skip locked' : ''}`,
    [keyIdentity, limit],
  );

/** Puts newly sealed values in the place of the old ones. */
export const updateSeals = async (
  session: Session,
  { table, id, column }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> => {
  await session.run(
    `update ${table} t set ${column} = u.sealed
       from unnest($1::text[], $2::bytea[]) as u (id, sealed) where t.${id}::text = u.id`,
    [rows.map((row) => row.id), rows.map((row) => row.sealed)],
  );
};
