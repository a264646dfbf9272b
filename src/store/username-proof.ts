import { insertRows, rowSource } from './bulk.js';
import type { Session } from './database.js';

/** The latest proof that a fid gave for a name; fid 0 means that the name was released. */
export interface UsernameProofRow {
  readonly name: string;
  readonly fid: number;
  readonly type: number;
  readonly owner: Uint8Array;
  readonly signature: Uint8Array;
  /** Unix seconds. */
  readonly timestamp: number;
  /** The message that carried it; null: the name registry gave it. */
  readonly message_hash: Uint8Array | null;
}

const COLUMNS = {
  name: 'text',
  fid: 'bigint',
  type: 'smallint',
  owner: 'bytea',
  signature: 'bytea',
  timestamp: 'bigint',
  message_hash: 'bytea',
} as const;

/** Keeps the later proof of each fid and name; @returns the names whose rows changed. */
export const upsertUsernameProofs = async (session: Session, rows: readonly UsernameProofRow[]): Promise<string[]> => {
  const changed = await insertRows<{ name: string }>(
    session,
    'username_proof',
    COLUMNS,
    rows,
    `on conflict (name, fid) do update set type = excluded.type, owner = excluded.owner,
       signature = excluded.signature, "timestamp" = excluded."timestamp", message_hash = excluded.message_hash
      where (excluded."timestamp", excluded.signature) > (username_proof."timestamp", username_proof.signature)
     returning name`,
  );
  return changed.map((row) => row.name);
};

/** Takes away proofs that a message carried, and only those; @returns the names that lost one. */
export const deleteUsernameProofs = async (
  session: Session,
  rows: readonly { readonly name: string; readonly fid: number; readonly message_hash: Uint8Array }[],
): Promise<string[]> => {
  if (rows.length === 0) return [];
  const source = rowSource({ name: 'text', fid: 'bigint', message_hash: 'bytea' }, rows);
  const gone = await session.run<{ name: string }>(
    `delete from username_proof p using (${source.select}) k
      where p.name = k.name and p.fid = k.fid and p.message_hash = k.message_hash returning p.name`,
    source.params,
  );
  return gone.map((row) => row.name);
};

/** @returns the fid that each of these names belongs to: the one with the latest proof; 0 for a released name. */
export const selectNameOwners = async (session: Session, names: readonly string[]): Promise<Map<string, number>> => {
  if (names.length === 0) return new Map();
  const rows = await session.select<{ name: string; fid: number }>(
    `select distinct on (name) name, fid from username_proof where name = any($1)
      order by name, "timestamp" desc, signature desc`,
    [names],
  );
  return new Map(rows.map((row) => [row.name, row.fid]));
};
