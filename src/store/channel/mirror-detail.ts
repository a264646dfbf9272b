import { execute, type Param, type Session, sql } from '../../db/statement.js';
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
interface List {
  readonly table: string;
  /** The column with the time. */
  readonly at: string;
  /** Further columns with their types; they follow the channel ($1), the fids ($2) and the times ($3) as parameters. */
  readonly more: Readonly<Record<string, string>>;
  /** The columns of rows that exist; undefined: all. */
  readonly updated?: readonly string[];
  /** Which rows the list is complete for; the table has the alias `t`. */
  readonly covers?: string;
}

/** @returns the statements that write what is listed and delete what is not; both return the fids */
const replacement = ({ table, at, more, updated, covers = 'true' }: List) => {
  const names = Object.keys(more);
  const types = Object.values(more).map((type, index) => `$${index + 4}::${type}[]`);
  const columns = [at, ...names];
  const set = updated ?? columns;
  return {
    write: sql<{ fid: number }>(
      `replace_${table}`,
      `insert into ${table} (channel_id, fid, ${columns.join(', ')})
   select $1, k.fid, ${columns.map((name) => `k.${name}`).join(', ')}
     from unnest(${['$2::bigint[]', '$3::timestamptz[]', ...types].join(', ')}) as k(fid, ${columns.join(', ')})
     left join ${table} t on t.channel_id = $1 and t.fid = k.fid
    where t.fid is null or (${set.map((name) => `t.${name}`).join(', ')}) is distinct from (${set.map((name) => `k.${name}`).join(', ')})
   on conflict (channel_id, fid) do update set ${set.map((name) => `${name} = excluded.${name}`).join(', ')}
   returning fid`,
    ),
    remove: sql<{ fid: number }>(
      `delete_other_${table}`,
      `delete from ${table} t
    where t.channel_id = $1 and t.${at} < $3 and ${covers}
      and not exists (select from unnest($2::bigint[]) as k(fid) where k.fid = t.fid)
   returning t.fid`,
    ),
  };
};

type Replacement = ReturnType<typeof replacement>;

/** @returns the accounts whose rows changed */
const replace = async (
  session: Session,
  { write, remove }: Replacement,
  channelId: string,
  requested: Date,
  rows: readonly ListedAccount[],
  ...more: readonly (readonly Param[])[]
): Promise<number[]> => {
  const fids = rows.map(({ fid }) => fid);
  const removed = await session.run(remove, [channelId, fids, requested]);
  const times = rows.map(({ at }) => at);
  const written = await session.run(write, [channelId, fids, times, ...more]);
  return [...removed, ...written].map(({ fid }) => fid);
};

const follows = replacement({ table: 'channel_follow', at: 'followed_at', more: {} });

const countFollowersSql = sql(
  'count_channel_followers',
  'update channel set follower_count = (select count(*) from channel_follow f where f.channel_id = $1) where id = $1',
);

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
  const changed = await replace(session, follows, channelId, requested, rows);
  if (changed.length > 0) await execute(session, countFollowersSql, [channelId]);
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
  const joined = await replace(session, members, channelId, requested, listed.members, roles);
  const invited = await replace(
    session,
    invites,
    channelId,
    requested,
    listed.invites,
    listed.invites.map(({ inviterFid }) => inviterFid),
    listed.invites.map(({ role }) => role),
  );
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
): Promise<number[]> =>
  replace(
    session,
    restrictions,
    channelId,
    requested,
    rows,
    rows.map(({ kind }) => kind),
  );
