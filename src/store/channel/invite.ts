import type { Reader } from '../../db/statement.js';
import { fromMicroseconds, inMicroseconds } from '../query/microsecond-time.js';
import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import type { Tables } from '../tables.js';
import { visibleTo } from '../visibility.js';

export type InvitedRole = Tables['channel_invite']['role'];

/** An open invite, and its position in the list: newest first. */
export interface ChannelInvite {
  readonly id: string;
  readonly fid: number;
  readonly inviter: number;
  readonly role: InvitedRole;
  /** Unix microseconds. */
  readonly at: number;
}

const list = <Of extends List>(name: Of, where: string) =>
  readQuery(
    name,
    `select i.channel_id as id, i.fid, i.inviter_fid as inviter, i.role, ${inMicroseconds('i.invited_at')} as "at!"
       from channel_invite i
      where i.invited_at <= ${fromMicroseconds(':at?')}
        and (i.invited_at < ${fromMicroseconds(':at?')} or (i.channel_id, i.fid) > (:afterId, :afterFid::bigint))
        and ${where} and ${visibleTo('i.fid', 'null', ':appId')} and ${visibleTo('i.inviter_fid', 'null', ':appId')}
      order by i.invited_at desc, i.channel_id, i.fid limit :limit`,
  ).rows();

type List = 'channel_invites' | 'channel_invites_by_channel' | 'channel_invites_by_account' | 'channel_invites_by_both';

const all = list('channel_invites', 'true');
const ofChannel = list('channel_invites_by_channel', 'i.channel_id = :channelId');
const ofAccount = list('channel_invites_by_account', 'i.fid = :fid');
const ofBoth = list('channel_invites_by_both', 'i.channel_id = :channelId and i.fid = :fid');

/**
 * Open invites; the app banned neither of the two accounts.
 * @param filter keeps the invites to one channel, of one account, or both
 */
export const selectInvites = (
  db: Reader,
  filter: { readonly channelId?: string | undefined; readonly fid?: number | undefined; readonly appId: string },
  after: Pick<ChannelInvite, 'id' | 'fid' | 'at'> | undefined,
  limit: number,
): Promise<ChannelInvite[]> => {
  const { channelId, fid, appId } = filter;
  const page = { at: after?.at ?? null, afterId: after?.id ?? '', afterFid: after?.fid ?? 0, limit, appId };
  if (channelId !== undefined && fid !== undefined) return ofBoth(db, { ...page, channelId, fid });
  if (channelId !== undefined) return ofChannel(db, { ...page, channelId });
  return fid === undefined ? all(db, page) : ofAccount(db, { ...page, fid });
};

/** @returns the role to which the account is invited; undefined: no invite is open */
export const selectInvite = selectQuery(
  'select_channel_invite',
  'select role from channel_invite where channel_id = :channelId and fid = :fid',
).value('role', (channelId: string, fid: number) => ({ channelId, fid }));

/** An open invite to the same role stays as it is; one to another role is replaced. */
export const upsertInvite = writeQuery(
  'upsert_channel_invite',
  `insert into channel_invite (channel_id, fid, inviter_fid, role, invited_at) values (:channelId, :fid, :inviterFid, :role, :invitedAt)
   on conflict (channel_id, fid) do update set
     inviter_fid = excluded.inviter_fid, role = excluded.role, invited_at = excluded.invited_at
   where channel_invite.role <> excluded.role`,
).done((invite: { channelId: string; fid: number; inviterFid: number; role: InvitedRole; invitedAt: Date }) => ({
  channelId: invite.channelId,
  fid: invite.fid,
  inviterFid: invite.inviterFid,
  role: invite.role,
  invitedAt: invite.invitedAt,
}));

/** @returns whether there was an open invite to this role */
export const deleteInvite = writeQuery(
  'delete_channel_invite',
  'delete from channel_invite where channel_id = :channelId and fid = :fid and role = :role returning fid',
).hasRows((channelId: string, fid: number, role: ChannelInvite['role']) => ({ channelId, fid, role }));
