import type { Session } from './database.js';

/** Who does not want to see whom, within one app. */
export interface Mute {
  readonly fid: number;
  readonly appId: string;
  readonly mutedFid: number;
}

/** Mutes an account; one that is muted already keeps its time. */
export const insertMute = async (session: Session, { fid, appId, mutedFid }: Mute, mutedAt: Date): Promise<void> => {
  await session.run(
    `insert into mute (fid, app_id, muted_fid, muted_at) values ($1, $2::uuid, $3, $4::timestamptz) on conflict do nothing`,
    [fid, appId, mutedFid, mutedAt],
  );
};

export const deleteMute = async (session: Session, { fid, appId, mutedFid }: Mute): Promise<void> => {
  await session.run('delete from mute where fid = $1 and app_id = $2::uuid and muted_fid = $3', [fid, appId, mutedFid]);
};
