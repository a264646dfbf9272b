import { MessageType } from '@farcaster/core';
import { insertRows, selectQuery, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** The nonce that a message used which registered or removed a key. */
export type KeyNonceRow = Camel<Written<Tables['key_nonce']>>;

/** @returns the rows that are new */
export const insertKeyNonces = insertRows(
  'insert_key_nonces',
  'key_nonce',
  {
    fid: 'bigint',
    request_fid: 'bigint',
    nonce: 'bigint',
    ts: 'integer',
    type: 'smallint',
    by_custody: 'boolean',
    key: 'bytea',
    hash: 'bytea',
  },
  'on conflict do nothing returning fid, key, hash',
).rows((rows: readonly KeyNonceRow[]) => [rows]);

/**
 * SQL of the app whose key `r` of `key_nonce` removed: that of the key's latest registration before, or of the first one
 * if the timestamps of all are later.
 */
export const APP_OF_REMOVAL = `(select a.request_fid from key_nonce a
    where a.fid = r.fid and a.key = r.key and a.type = ${MessageType.KEY_ADD}
    order by a.ts > r.ts, abs(a.ts - r.ts), a.hash desc limit 1)`;

/** Decides again which apps the removals of these keys by themselves belong to, after their rows changed. */
export const updateKeyNonceApps = writeRows(
  'update_key_nonce_apps',
  { fid: 'bigint', key: 'bytea' },
  (rows) => `update key_nonce r set request_fid = ${APP_OF_REMOVAL}
     from (${rows}) k
    where r.fid = k.fid and r.key = k.key and not r.by_custody and r.request_fid is distinct from ${APP_OF_REMOVAL}`,
).done((keys: readonly Pick<KeyNonceRow, 'fid' | 'key'>[]) => [keys]);

/** @returns by fid, the highest nonce that the custody address of the account used; without those that used none */
export const selectCustodyNonces = selectQuery(
  'select_custody_nonces',
  'select fid, max(nonce) as "nonce!" from key_nonce where fid = any(:fids) and by_custody group by fid',
).columnMap('fid', 'nonce', (fids: readonly number[]) => ({ fids }));

/** @returns by fid, the highest nonce that keys of the app used to remove themselves; null: none did */
export const selectAppNonces = selectQuery(
  'select_app_nonces',
  `select a.fid as "fid!", (select max(k.nonce) from key_nonce k where k.request_fid = a.fid and not k.by_custody) as nonce
     from unnest(:fids::bigint[]) a(fid)`,
).columnMap('fid', 'nonce', (fids: readonly number[]) => ({ fids }));
