import { camelCase } from '../../db/bulk-statement.js';
import type { Session } from '../../db/statement.js';
import { type ParamsOf, writeQuery } from '../query-function.js';
import { settleMembers } from './write.js';

/** An account that a list about a channel names. */
export interface ListedAccount {
  readonly fid: number;
  /** When it began to follow, joined, was invited, banned or removed. */
  readonly at: Date;
}

/**
 * The lists that are replaced as a whole. What began after a list was requested may be missing in it, so it stays.
 * Rows that are as listed are not written.
 */
interface List<Of extends string = 'channel_follow' | 'channel_member' | 'channel_invite' | 'channel_restriction'> {
  readonly table: Of;
  /** The column with the time. */
  readonly at: string;
  /** Further columns with their types. */
  readonly more: Readonly<Record<string, string>>;
  /** The columns of rows that exist; undefined: all. */
  readonly updated?: readonly string[];
  /** Which rows the list is complete for; the table has the alias `t`. */
  readonly covers?: string;
}

/**
 * @returns a function that writes what is listed and deletes what is not; it returns the accounts whose rows changed.
 *   `more` has the further columns as arrays
 */
const replacement = <Of extends List['table']>({ table, at, more: types, updated, covers = 'true' }: List<Of>) => {
  const names = Object.keys(types);
  const columns = [at, ...names];
  const arrays = names.map((name) => `:${camelCase(name)}s::${types[name]}[]`);
  const set = updated ?? columns;
  const named: List['table'] = table;
  const write = writeQuery(
    `replace_${named}`,
    `insert into ${table} (channel_id, fid, ${columns.join(', ')})
   select :channelId, k.fid, ${columns.map((name) => `k.${name}`).join(', ')}
     from unnest(${[':fids::bigint[]', ':times::timestamptz[]', ...arrays].join(', ')}) as k(fid, ${columns.join(', ')})
     left join ${table} t on t.channel_id = :channelId and t.fid = k.fid
    where t.fid is null or (${set.map((name) => `t.${name}`).join(', ')}) is distinct from (${set.map((name) => `k.${name}`).join(', ')})
   on conflict (channel_id, fid) do update set ${set.map((name) => `${name} = excluded.${name}`).join(', ')}
   returning fid as "fid!"`,
  ).column('fid');
  const remove = writeQuery(
    `delete_other_${named}`,
    `delete from ${table} t
    where t.channel_id = :channelId and t.${at} < :requested and ${covers}
      and not exists (select from unnest(:fids::bigint[]) as k(fid) where k.fid = t.fid)
   returning t.fid`,
  ).column('fid');
  return async (
    session: Session,
    channelId: string,
    requested: Date,
    rows: readonly ListedAccount[],
    more: Omit<ParamsOf<`replace_${Of}`>, 'channelId' | 'fids' | 'times'>,
  ): Promise<number[]> => {
    const fids = rows.map(({ fid }) => fid);
    const removed = await remove(session, { channelId, fids, requested });
    const all = { channelId, fids, times: rows.map((row) => row.at), ...more };
    return [...removed, ...(await write(session, all as unknown as ParamsOf<`replace_${Of}`>))];
  };
};

const follows = replacement({ table: 'channel_follow', at: 'followed_at', more: {} });

const countFollowers = writeQuery(
  'count_channel_followers',
  'update channel set follower_count = (select count(*) from channel_follow f where f.channel_id = :channelId) where id = :channelId',
).done();

/**
 * Makes these accounts the followers of a channel.
 * @param requested when the list was requested
 * @returns the accounts of which something changed
 */
export const replaceFollowers = async (
  session: Session,
  channelId: string,
  requested: Date,
  rows: readonly ListedAccount[],
): Promise<number[]> => {
  const changed = await follows(session, channelId, requested, rows, {});
  if (changed.length > 0) await countFollowers(session, { channelId });
  return changed;
};

const members = replacement({
  table: 'channel_member',
  at: 'since',
  more: { role: 'text' },
  // Roles come from the list of channels.
  updated: ['since'],
  covers: "t.role = 'member'",
});

const invites = replacement({
  table: 'channel_invite',
  at: 'invited_at',
  more: { inviter_fid: 'bigint', role: 'text' },
});

export interface ListedInvite extends ListedAccount {
  readonly inviterFid: number;
  readonly role: 'member' | 'moderator';
}

/**
 * Makes these accounts the members of a channel, besides its owner and moderators, and these the open invites.
 * @param requested when the lists were requested
 * @returns the accounts of which something changed as members
 */
export const replaceListedMembers = async (
  session: Session,
  channelId: string,
  requested: Date,
  listed: { readonly members: readonly ListedAccount[]; readonly invites: readonly ListedInvite[] },
): Promise<number[]> => {
  const roles = listed.members.map(() => 'member');
  const joined = await members(session, channelId, requested, listed.members, { roles });
  const invited = await invites(session, channelId, requested, listed.invites, {
    inviterFids: listed.invites.map(({ inviterFid }) => inviterFid),
    roles: listed.invites.map(({ role }) => role),
  });
  if (joined.length + invited.length > 0) await settleMembers(session, [channelId]);
  return joined;
};

const restrictions = replacement({ table: 'channel_restriction', at: 'since', more: { kind: 'text' } });

export interface ListedRestriction extends ListedAccount {
  readonly kind: 'banned' | 'restricted';
}

/** Makes these the restrictions of a channel. */
export const replaceRestrictions = (
  session: Session,
  channelId: string,
  requested: Date,
  rows: readonly ListedRestriction[],
): Promise<number[]> => restrictions(session, channelId, requested, rows, { kinds: rows.map(({ kind }) => kind) });
