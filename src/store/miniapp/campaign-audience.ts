import { pointAt } from '../point.js';
import { writeQuery } from '../query-function.js';

/** Which users of a mini app a campaign addresses; every condition must hold. */
export interface Audience {
  /** Empty: every user. */
  readonly fids: readonly number[];
  readonly excludedFids: readonly number[];
  /** Users who follow this account. */
  readonly followedFid: number | undefined;
  /** 0 to 1. */
  readonly minimumScore: number | undefined;
  /** Users whose location is within a radius in metres of a point in degrees; users without a location are not. */
  readonly near: { readonly latitude: number; readonly longitude: number; readonly radius: number } | undefined;
}

/** Mean radius of the earth in metres (IUGG). */
const EARTH_RADIUS_M = 6_371_008.8;
/** Longer than any chord of the unit sphere. */
const WHOLE_EARTH = 3;

/** @returns the length of the chord in the unit sphere that spans a distance on the ground in metres */
const chordOf = (metres: number): number => {
  const angle = metres / EARTH_RADIUS_M;
  return angle >= Math.PI ? WHOLE_EARTH : 2 * Math.sin(angle / 2);
};

/**
 * Adds the enabled tokens of an audience to a campaign that has none yet.
 * @returns how many they are, and how many tokens of the audience are disabled or invalid
 */
export const insertCampaignRecipients = writeQuery(
  'insert_campaign_recipients',
  `with audience as materialized (
      select t.fid, t.client_fid, t.status from mini_app_token t
       where t.app_id = :appId::uuid
         and (cardinality(:fids::bigint[]) = 0 or t.fid = any(:fids)) and not t.fid = any(:excludedFids::bigint[])
         and (:followedFid?::bigint is null or exists (
               select from message m where m.fid = t.fid and m.target_fid = :followedFid? and m.type = 5 and m.subtype = 1
                  and not m.void))
         and (:minimumScore?::real is null or exists (select from account a where a.fid = t.fid and a.score >= :minimumScore?::real))
         and (:chord?::float8 is null or exists (
               select from account a join place p on p.latitude = a.latitude and p.longitude = a.longitude
                where a.fid = t.fid and p.point <-> ${pointAt(':latitude?', ':longitude?')} <= :chord?::float8))),
    added as (
      insert into campaign_recipient (campaign_id, fid, client_fid, app_id, state, next_at)
      select :id::uuid, fid, client_fid, :appId::uuid, 'pending', :now::timestamptz from audience where status = 'enabled'),
    counted as (
      select (count(*) filter (where status = 'enabled'))::integer as enabled,
             (count(*) filter (where status <> 'enabled'))::integer as disabled,
             array_agg(distinct client_fid) filter (where status = 'enabled') as client_fids
        from audience)
    update campaign set token_count = counted.enabled, disabled_count = counted.disabled,
           client_fids = coalesce(counted.client_fids, '{}')
      from counted where id = :id::uuid
    returning token_count as "tokenCount", disabled_count as "disabledCount"`,
).one(
  (
    campaign: { readonly id: string; readonly appId: string },
    { fids, excludedFids, followedFid, minimumScore, near }: Audience,
    now: Date,
  ) => ({
    id: campaign.id,
    appId: campaign.appId,
    now,
    fids,
    excludedFids,
    followedFid: followedFid ?? null,
    minimumScore: minimumScore ?? null,
    latitude: near?.latitude ?? null,
    longitude: near?.longitude ?? null,
    chord: near === undefined ? null : chordOf(near.radius),
  }),
);
