import { insertRows, readRows, selectQuery, writeRows } from '../query-function.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * A fid's latest proof of a name; fid 0 means that the name was released. `timestamp` is in Unix seconds; a proof of
 * the name registry has no `message_hash`.
 */
export type UsernameProofRow = Written<Tables['username_proof']>;

const COLUMNS = {
  name: 'text',
  fid: 'bigint',
  type: 'smallint',
  owner: 'bytea',
  signature: 'bytea',
  timestamp: 'bigint',
  message_hash: 'bytea',
} as const;

/** Stores the later proof of each fid and name. @returns the names whose rows changed */
export const upsertUsernameProofs = insertRows<{ name: string }>(
  'upsert_username_proofs',
  'username_proof',
  COLUMNS,
  `on conflict (name, fid) do update set type = excluded.type, owner = excluded.owner,
     signature = excluded.signature, "timestamp" = excluded."timestamp", message_hash = excluded.message_hash
    where (excluded."timestamp", excluded.signature) > (username_proof."timestamp", username_proof.signature)
   returning name`,
).column('name', (rows: readonly UsernameProofRow[]) => [rows]);

/** Deletes proofs that came in a message. @returns the names that lost one */
export const deleteUsernameProofs = writeRows<{ name: string }>(
  'delete_username_proofs',
  { name: 'text', fid: 'bigint', message_hash: 'bytea' },
  (rows) => `delete from username_proof p using (${rows}) k
    where p.name = k.name and p.fid = k.fid and p.message_hash = k.message_hash returning p.name`,
).column(
  'name',
  (rows: readonly { readonly name: string; readonly fid: number; readonly message_hash: Uint8Array }[]) => [rows],
);

/** @returns the fid of each name: that of the latest proof; 0 for a released name */
export const selectNameOwners = selectQuery<{ name: string; fid: number }>(
  'select_name_owners',
  `select distinct on (name) name, fid from username_proof where name = any($1)
    order by name, "timestamp" desc, signature desc`,
).columnMap('name', 'fid', (names: readonly string[]) => (names.length === 0 ? undefined : [names]));

/** SQL of the latest proof of a name, whichever account it is of. */
const latestProof = (name: string): string =>
  `lateral (select u.fid, u.message_hash from username_proof u where u.name = ${name}
              order by u."timestamp" desc, u.signature desc limit 1) p`;

/** @returns the accounts that claim one of these names while the name registry gave it to another account, or to none */
export const selectLostClaims = selectQuery<{ fid: number }>(
  'select_lost_claims',
  `select a.fid from account a cross join ${latestProof('a.claimed_username')}
    where a.claimed_username = any($1) and p.fid <> a.fid and p.message_hash is null`,
).column('fid', (names: readonly string[]) => (names.length === 0 ? undefined : [names]));

export interface NameClaim {
  readonly fid: number;
  readonly name: string;
}

/** @returns those of the claims whose name the registry gave to another account, or to none */
export const selectForeignClaims = readRows<NameClaim>(
  'select_foreign_claims',
  { fid: 'bigint', name: 'text' },
  (rows) => `select k.fid, k.name from (${rows}) k cross join ${latestProof('k.name')}
    where p.fid <> k.fid and p.message_hash is null`,
).rows((claims: readonly NameClaim[]) => [claims]);

/** @returns the proofs of the name registry for an account */
export const selectRegistryProofs = selectQuery<Omit<UsernameProofRow, 'message_hash'>>(
  'select_registry_proofs',
  `select name, fid, type, owner, signature, "timestamp" from username_proof
    where fid = $1 and message_hash is null`,
).rows((fid: number) => [fid]);

/** Deletes exactly these proofs of the name registry. @returns the names that lost one */
export const deleteRegistryProofs = writeRows<{ name: string }>(
  'delete_registry_proofs',
  { name: 'text', fid: 'bigint', signature: 'bytea' },
  (rows) => `delete from username_proof p using (${rows}) k
    where p.name = k.name and p.fid = k.fid and p.signature = k.signature and p.message_hash is null returning p.name`,
).column('name', (rows: readonly Pick<UsernameProofRow, 'name' | 'fid' | 'signature'>[]) => [rows]);
