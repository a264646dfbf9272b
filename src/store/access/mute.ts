import { execute, type Session, sql } from '../../db/statement.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

/** An account that another one has muted, within one app. */
export type Mute = Camel<Omit<Tables['mute'], 'muted_at'>>;

const insertMuteSql = sql(
  'insert_mute',
  `insert into mute (fid, app_id, muted_fid, muted_at) values ($1, $2::uuid, $3, $4::timestamptz) on conflict do nothing`,
);

/** Mutes an account; one that is muted already keeps its time. */
export const insertMute = (session: Session, { fid, appId, mutedFid }: Mute, mutedAt: Date): Promise<void> =>
  execute(session, insertMuteSql, [fid, appId, mutedFid, mutedAt]);

const deleteMuteSql = sql('delete_mute', 'delete from mute where fid = $1 and app_id = $2::uuid and muted_fid = $3');

export const deleteMute = (session: Session, { fid, appId, mutedFid }: Mute): Promise<void> =>
  execute(session, deleteMuteSql, [fid, appId, mutedFid]);
