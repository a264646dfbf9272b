import { insertRows, readRows, selectQuery, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * The latest proof of a name, for account `fid`; of the name registry, fid 0 means that the name was released.
 * `timestamp` is in Unix seconds; a proof that did not come in a message has no `messageHash`.
 */
export type UsernameProofRow = Camel<Written<Tables['username_proof']>>;

const COLUMNS = {
  name: 'text',
  fid: 'bigint',
  type: 'smallint',
  owner: 'bytea',
  signature: 'bytea',
  timestamp: 'bigint',
  message_hash: 'bytea',
} as const;

/**
 * Stores the later proof of each name, whichever accounts they are for.
 * @param rows at most one of each name
 * @returns the names whose rows changed
 * @source `get_merge_conflicts` of snapchain's `username_proof_store.rs`, `merge_username_proof` of its `user_data_store.rs`
 */
export const upsertUsernameProofs = insertRows(
  'upsert_username_proofs',
  'username_proof',
  COLUMNS,
  `on conflict (name) do update set fid = excluded.fid, type = excluded.type, owner = excluded.owner,
     signature = excluded.signature, "timestamp" = excluded."timestamp", message_hash = excluded.message_hash
    where (excluded."timestamp", excluded.signature, excluded.message_hash is not null)
          > (username_proof."timestamp", username_proof.signature, username_proof.message_hash is not null)
   returning name`,
).column('name', (rows: readonly UsernameProofRow[]) => [rows]);

/** Deletes proofs that came in a message. @returns the names that lost one */
export const deleteUsernameProofs = writeRows(
  'delete_username_proofs',
  { name: 'text', fid: 'bigint', message_hash: 'bytea' },
  (rows) => `delete from username_proof p using (${rows}) k
    where p.name = k.name and p.fid = k.fid and p.message_hash = k.message_hash returning p.name`,
).column(
  'name',
  (rows: readonly { readonly name: string; readonly fid: number; readonly messageHash: Uint8Array }[]) => [rows],
);

/** @returns the proofs of these names */
export const selectProofsOfNames = selectQuery(
  'select_proofs_of_names',
  `select name, fid, type, owner, signature, "timestamp", message_hash as "messageHash" from username_proof where name = any(:names)`,
).rows((names: readonly string[]) => (names.length === 0 ? undefined : { names }));

/** @returns the accounts that claim one of these names while the name registry gave it to another account, or to none */
export const selectLostClaims = selectQuery(
  'select_lost_claims',
  `select a.fid from account a join username_proof p on p.name = a.claimed_username
    where a.claimed_username = any(:names) and p.fid <> a.fid and p.message_hash is null`,
).column('fid', (names: readonly string[]) => (names.length === 0 ? undefined : { names }));

export interface NameClaim {
  readonly fid: number;
  readonly name: string;
}

/** @returns those of the claims whose name the registry gave to another account, or to none */
export const selectForeignClaims = readRows(
  'select_foreign_claims',
  { fid: 'bigint', name: 'text' },
  (rows) => `select k.fid as "fid!", k.name as "name!" from (${rows}) k join username_proof p on p.name = k.name
    where p.fid <> k.fid and p.message_hash is null`,
).rows((claims: readonly NameClaim[]) => [claims]);

/** @returns the proofs of the name registry for an account */
export const selectRegistryProofs = selectQuery(
  'select_registry_proofs',
  `select name, fid, type, owner, signature, "timestamp" from username_proof
    where fid = :fid and message_hash is null`,
).rows((fid: number) => ({ fid }));

/** Deletes exactly these proofs of the name registry. @returns the names that lost one */
export const deleteRegistryProofs = writeRows(
  'delete_registry_proofs',
  { name: 'text', fid: 'bigint', signature: 'bytea' },
  (rows) => `delete from username_proof p using (${rows}) k
    where p.name = k.name and p.fid = k.fid and p.signature = k.signature and p.message_hash is null returning p.name`,
).column('name', (rows: readonly Pick<UsernameProofRow, 'name' | 'fid' | 'signature'>[]) => [rows]);
