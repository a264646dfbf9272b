import { writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

/** An account that another one has muted, within one app. */
export type Mute = Camel<Omit<Tables['mute'], 'muted_at'>>;

/** Mutes an account; one that is muted already keeps its time. */
export const insertMute = writeQuery(
  'insert_mute',
  `insert into mute (fid, app_id, muted_fid, muted_at) values (:fid, :appId::uuid, :mutedFid, :mutedAt::timestamptz) on conflict do nothing`,
).done(({ fid, appId, mutedFid }: Mute, mutedAt: Date) => ({ fid, appId, mutedFid, mutedAt }));

export const deleteMute = writeQuery(
  'delete_mute',
  'delete from mute where fid = :fid and app_id = :appId::uuid and muted_fid = :mutedFid',
).done(({ fid, appId, mutedFid }: Mute) => ({ fid, appId, mutedFid }));
