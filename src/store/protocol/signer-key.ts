import { insertRows, readRows, selectQuery } from '../query-function.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * A key that may sign for an account, or once might. `key_type` is 1 Ed25519 signer, 2 auth address (padded to 32
 * bytes); `block_number` is 0 for a key that a protocol message registered.
 */
export type SignerKeyRow = Written<Tables['signer_key']>;

type SignerKeyState = Pick<SignerKeyRow, 'fid' | 'key_type' | 'active'> & { readonly key: Buffer };

/** Writes the keys; @returns those whose row changed. A message does not override an onchain event. */
export const upsertSignerKeys = insertRows<SignerKeyState>(
  'upsert_signer_keys',
  'signer_key',
  {
    fid: 'bigint',
    key: 'bytea',
    key_type: 'integer',
    active: 'boolean',
    block_number: 'bigint',
    log_index: 'integer',
    decided_at: 'timestamptz',
    request_fid: 'bigint',
  },
  `on conflict (fid, key) do update set key_type = excluded.key_type, active = excluded.active,
     block_number = excluded.block_number, log_index = excluded.log_index, decided_at = excluded.decided_at,
     request_fid = excluded.request_fid
    where excluded.block_number >= signer_key.block_number
      and (signer_key.active, signer_key.block_number, signer_key.log_index, signer_key.decided_at)
        is distinct from (excluded.active, excluded.block_number, excluded.log_index, excluded.decided_at)
   returning fid, key, key_type, active`,
).rows((rows: readonly SignerKeyRow[]) => [rows]);

export const selectSignerKeys = readRows<SignerKeyState>(
  'signer_key_by_pair',
  { fid: 'bigint', key: 'bytea' },
  (rows) => `select s.fid, s.key, s.key_type, s.active from (${rows}) k
     join signer_key s on s.fid = k.fid and s.key = k.key`,
).rows((pairs: readonly { readonly fid: number; readonly key: Uint8Array }[]) => [pairs]);

export const selectSignerKeysOf = selectQuery<SignerKeyRow>(
  'select_signer_keys_of',
  'select * from signer_key where fid = any($1)',
).rows((fids: readonly number[]) => [fids]);

/** An account for which a key is active. */
export interface KeyOwner {
  readonly fid: number;
  readonly key: Buffer;
  /** Registered by an onchain event, not by a message. */
  readonly isOnchain: boolean;
  readonly request_fid: number | null;
}

/** @returns the accounts for which these keys are active */
export const selectActiveKeyOwners = selectQuery<KeyOwner>(
  'select_active_key_owners',
  `select fid, key, block_number > 0 as "isOnchain", request_fid from signer_key
    where key = any($1::bytea[]) and active`,
).rows((keys: readonly Uint8Array[]) => [keys]);
