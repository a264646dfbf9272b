import { MessageType } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { insertRows, readRows, selectQuery, writeRows } from '../query-function.js';
import { type Camel, columnList, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * A key that may sign for an account, or once might. `keyType` is 1 Ed25519 signer, 2 auth address (padded to 32
 * bytes); `blockNumber` is 0 for a key that a protocol message registered, and only such keys have `scopes` (types of
 * messages) and `ttl` (seconds).
 */
export type SignerKeyRow = Camel<Written<Omit<Tables['signer_key'], 'last_used_ts'>>>;

/** What decides whether a key may sign a message. `lastUsedTs`, in protocol seconds, is of the latest that it signed. */
export type SignerKeyState = Camel<Tables['signer_key']>;

const WRITTEN = {
  fid: 'bigint',
  key: 'bytea',
  key_type: 'integer',
  active: 'boolean',
  block_number: 'bigint',
  log_index: 'integer',
  decided_at: 'timestamptz',
  request_fid: 'bigint',
  scopes: 'integer[]',
  ttl: 'integer',
} as const;

const COLUMNS = [...Object.keys(WRITTEN), 'last_used_ts'];

/** Writes the keys; @returns those whose row changed. */
export const upsertSignerKeys = insertRows(
  'upsert_signer_keys',
  'signer_key',
  WRITTEN,
  `on conflict (fid, key) do update set key_type = excluded.key_type, active = excluded.active,
     block_number = excluded.block_number, log_index = excluded.log_index, decided_at = excluded.decided_at,
     request_fid = excluded.request_fid, scopes = excluded.scopes, ttl = excluded.ttl
    where (signer_key.key_type, signer_key.active, signer_key.block_number, signer_key.log_index,
           signer_key.decided_at, signer_key.request_fid, signer_key.scopes, signer_key.ttl)
       is distinct from (excluded.key_type, excluded.active, excluded.block_number, excluded.log_index,
           excluded.decided_at, excluded.request_fid, excluded.scopes, excluded.ttl)
   returning fid, key, key_type as "keyType", active, ttl`,
).rows((rows: readonly SignerKeyRow[]) => [rows]);

type KeyPair = Pick<SignerKeyRow, 'fid' | 'key'>;

export const selectSignerKeys = readRows(
  'signer_key_by_pair',
  { fid: 'bigint', key: 'bytea' },
  (rows) => `select ${columnList(COLUMNS, 's')} from (${rows}) k join signer_key s on s.fid = k.fid and s.key = k.key`,
).rows((pairs: readonly KeyPair[]) => [pairs]);

export const selectSignerKeysOf = selectQuery(
  'select_signer_keys_of',
  `select ${columnList(COLUMNS)} from signer_key where fid = any(:fids)`,
).rows((fids: readonly number[]) => (fids.length === 0 ? undefined : { fids }));

/** Raises the time at which each of these keys was last used, in protocol seconds. */
export const updateKeyUses = writeRows(
  'update_key_uses',
  { fid: 'bigint', key: 'bytea', ts: 'integer' },
  (rows) => `update signer_key s set last_used_ts = k.ts from (${rows}) k
    where s.fid = k.fid and s.key = k.key and coalesce(s.last_used_ts < k.ts, true)`,
).done((uses: readonly (KeyPair & { readonly ts: number })[]) => [uses]);

/** Does the same by the stored messages of these keys, for keys whose messages arrived before their registration. */
export const updateKeyUsesFromMessages = writeRows(
  'update_key_uses_from_messages',
  { fid: 'bigint', key: 'bytea' },
  (rows) => `update signer_key s set last_used_ts = u.ts
     from (select m.fid, m.signer, max(m.ts) as ts from (${rows}) k
             join message m on m.fid = k.fid and m.signer = k.key
            where m.message_set <> ${MessageSet.key} group by m.fid, m.signer) u
    where s.fid = u.fid and s.key = u.signer and coalesce(s.last_used_ts < u.ts, true)`,
).done((keys: readonly KeyPair[]) => [keys]);

/** An account for which a key is active: registered onchain, by a message, or both. */
export interface KeyOwner {
  readonly fid: number;
  readonly key: Buffer;
  readonly isOnchain: boolean;
  readonly isByMessage: boolean;
  /** Of the onchain registration if there is one. */
  readonly requestFid: number | null;
}

/** @returns the accounts for which these keys are active */
export const selectActiveKeyOwners = selectQuery(
  'select_active_key_owners',
  `select s.fid, s.key, s.block_number > 0 as "isOnchain!", m.fid is not null as "isByMessage!", s.request_fid as "requestFid"
     from signer_key s
     left join message m on m.fid = s.fid and m.message_set = ${MessageSet.key} and m.key = s.key
       and m.type = ${MessageType.KEY_ADD}
    where s.key = any(:keys::bytea[]) and s.active`,
).rows((keys: readonly Uint8Array[]) => ({ keys }));
