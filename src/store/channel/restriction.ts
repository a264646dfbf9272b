import { execute, type Session, sql } from '../../db/statement.js';
import { first } from '../table.js';
import type { Tables } from '../tables.js';

/** `banned`: may neither follow nor join; `restricted`: was removed, and cannot be invited again. */
export type RestrictionKind = Tables['channel_restriction']['kind'];

const restrictionSql = sql<{ kind: RestrictionKind }>(
  'select_channel_restriction',
  'select kind from channel_restriction where channel_id = $1 and fid = $2',
);

export const selectRestriction = async (
  session: Session,
  channelId: string,
  fid: number,
): Promise<RestrictionKind | undefined> => (await first(session.select(restrictionSql, [channelId, fid])))?.kind;

const insertRestrictionSql = sql(
  'insert_channel_restriction',
  `insert into channel_restriction (channel_id, fid, kind, since) values ($1, $2, $3, $4)
   on conflict (channel_id, fid) do update set kind = excluded.kind where channel_restriction.kind = 'restricted'`,
);

/** A ban stays one. */
export const insertRestriction = (
  session: Session,
  channelId: string,
  fid: number,
  kind: RestrictionKind,
  since: Date,
): Promise<void> => execute(session, insertRestrictionSql, [channelId, fid, kind, since]);

const deleteRestrictionSql = sql(
  'delete_channel_restriction',
  'delete from channel_restriction where channel_id = $1 and fid = $2',
);

export const deleteRestriction = (session: Session, channelId: string, fid: number): Promise<void> =>
  execute(session, deleteRestrictionSql, [channelId, fid]);
