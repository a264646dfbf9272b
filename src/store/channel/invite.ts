import { type Reader, type Statement, statement } from '../../db/statement.js';
import { fromMicroseconds, inMicroseconds } from '../query/microsecond-time.js';
import { selectQuery, writeQuery } from '../query-function.js';
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

const list = (name: string, where: string): Statement<ChannelInvite> =>
  statement(
    name,
    `select i.channel_id as id, i.fid, i.inviter_fid as inviter, i.role, ${inMicroseconds('i.invited_at')} as at
       from channel_invite i
      where i.invited_at <= ${fromMicroseconds('$1')}
        and (i.invited_at < ${fromMicroseconds('$1')} or (i.channel_id, i.fid) > ($2, $3::bigint))
        and ${where} and ${visibleTo('i.fid', 'null', '$5')} and ${visibleTo('i.inviter_fid', 'null', '$5')}
      order by i.invited_at desc, i.channel_id, i.fid limit $4`,
  );

const all = list('channel_invites', 'true');
const ofChannel = list('channel_invites_by_channel', 'i.channel_id = $6');
const ofAccount = list('channel_invites_by_account', 'i.fid = $6');
const ofBoth = list('channel_invites_by_both', 'i.channel_id = $6 and i.fid = $7');

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
  const page = [after?.at ?? null, after?.id ?? '', after?.fid ?? 0, limit, appId];
  if (channelId !== undefined && fid !== undefined) return db.read(ofBoth, [...page, channelId, fid]);
  if (channelId !== undefined) return db.read(ofChannel, [...page, channelId]);
  return fid === undefined ? db.read(all, page) : db.read(ofAccount, [...page, fid]);
};

/** @returns the role to which the account is invited; undefined: no invite is open */
export const selectInvite = selectQuery<{ role: InvitedRole }>(
  'select_channel_invite',
  'select role from channel_invite where channel_id = $1 and fid = $2',
).value('role', (channelId: string, fid: number) => [channelId, fid]);

/** An open invite to the same role stays as it is; one to another role is replaced. */
export const upsertInvite = writeQuery(
  'upsert_channel_invite',
  `insert into channel_invite (channel_id, fid, inviter_fid, role, invited_at) values ($1, $2, $3, $4, $5)
   on conflict (channel_id, fid) do update set
     inviter_fid = excluded.inviter_fid, role = excluded.role, invited_at = excluded.invited_at
   where channel_invite.role <> excluded.role`,
).done((invite: { channelId: string; fid: number; inviterFid: number; role: InvitedRole; invitedAt: Date }) => [
  invite.channelId,
  invite.fid,
  invite.inviterFid,
  invite.role,
  invite.invitedAt,
]);

/** @returns whether there was an open invite to this role */
export const deleteInvite = writeQuery(
  'delete_channel_invite',
  'delete from channel_invite where channel_id = $1 and fid = $2 and role = $3 returning fid',
).hasRows((channelId: string, fid: number, role: ChannelInvite['role']) => [channelId, fid, role]);
