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

/** Tokens of an audience. */
export interface AudienceSize {
  /** Enabled tokens, which are the recipients. */
  readonly tokenCount: number;
  /** Disabled or invalid tokens. */
  readonly disabledCount: number;
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

/** Adds the enabled tokens of an audience to a campaign that has none yet. */
export const insertCampaignRecipients = writeQuery<AudienceSize>(
  'insert_campaign_recipients',
  `with audience as materialized (
      select t.fid, t.client_fid, t.status from mini_app_token t
       where t.app_id = $2::uuid
         and (cardinality($4::bigint[]) = 0 or t.fid = any($4)) and not t.fid = any($5::bigint[])
         and ($6::bigint is null or exists (
               select from message m where m.fid = t.fid and m.target_fid = $6 and m.type = 5 and m.subtype = 1
                  and not m.void))
         and ($7::real is null or exists (select from account a where a.fid = t.fid and a.score >= $7::real))
         and ($10::float8 is null or exists (
               select from account a join place p on p.latitude = a.latitude and p.longitude = a.longitude
                where a.fid = t.fid and p.point <-> ${pointAt('$8', '$9')} <= $10::float8))),
    added as (
      insert into campaign_recipient (campaign_id, fid, client_fid, app_id, state, next_at)
      select $1::uuid, fid, client_fid, $2::uuid, 'pending', $3::timestamptz from audience where status = 'enabled'),
    counted as (
      select (count(*) filter (where status = 'enabled'))::integer as enabled,
             (count(*) filter (where status <> 'enabled'))::integer as disabled,
             array_agg(distinct client_fid) filter (where status = 'enabled') as client_fids
        from audience)
    update campaign set token_count = counted.enabled, disabled_count = counted.disabled,
           client_fids = coalesce(counted.client_fids, '{}')
      from counted where id = $1::uuid
    returning token_count as "tokenCount", disabled_count as "disabledCount"`,
).one(
  (
    campaign: { readonly id: string; readonly appId: string },
    { fids, excludedFids, followedFid, minimumScore, near }: Audience,
    now: Date,
  ) => [
    campaign.id,
    campaign.appId,
    now,
    fids,
    excludedFids,
    followedFid ?? null,
    minimumScore ?? null,
    near?.latitude ?? null,
    near?.longitude ?? null,
    near === undefined ? null : chordOf(near.radius),
  ],
);
