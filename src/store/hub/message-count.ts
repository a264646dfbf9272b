import { selectQuery } from '../query-function.js';

/** @returns how many messages an account has, by `MessageType`; links that a compact state excludes do not count */
export const selectMessageCounts = selectQuery<{ type: number; count: number }>(
  'select_message_counts',
  'select type, count(*)::integer as count from message where fid = $1 and not void group by type',
).columnMap('type', 'count', (fid: number) => [fid]);

/** @returns how many keys an account has in the key registry; those that messages registered have block 0 */
export const selectSignerCount = selectQuery<{ count: number }>(
  'select_signer_count',
  'select count(*)::integer as count from signer_key where fid = $1 and active and block_number > 0',
).valueOr('count', 0, (fid: number) => [fid]);
