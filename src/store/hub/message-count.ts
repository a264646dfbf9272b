import { selectQuery } from '../query-function.js';

/** @returns how many messages an account has, by `MessageType`; links that a compact state excludes do not count */
export const selectMessageCounts = selectQuery(
  'select_message_counts',
  'select type, count(*)::integer as "count!" from message where fid = :fid and not void group by type',
).columnMap('type', 'count', (fid: number) => ({ fid }));

/** @returns how many keys an account has in the key registry; those that messages registered have block 0 */
export const selectSignerCount = selectQuery(
  'select_signer_count',
  'select count(*)::integer as "count!" from signer_key where fid = :fid and active and block_number > 0',
).valueOr('count', 0, (fid: number) => ({ fid }));

/**
 * `messageSet` is the `MessageSet` of the store, `oldest` the time in 8 and the hash in 40 hex digits of its oldest message.
 * @returns what an account has in each store that is not empty; links that a compact state excludes do not count
 */
export const selectStoreUse = selectQuery(
  'select_store_use',
  `select message_set as "messageSet", count(*)::integer as "used!",
          min(lpad(to_hex(ts), 8, '0') || encode(hash, 'hex')) as "oldest!"
     from message where fid = :fid and not void group by message_set`,
).rows((fid: number) => ({ fid }));
