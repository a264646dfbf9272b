import { pointAt } from '../point.js';
import { type RowOf, readQuery } from '../query-function.js';
import { audienceTagsOf, PLACES } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';
import { accountExists } from './account-exists.js';

/** `distance` is the chord in the unit sphere (0 to 2), which grows with the distance on the ground. */
export type NeighbourRow = RowOf<'account_by_distance'>;

const HERE = pointAt(':latitude', ':longitude');

/**
 * Accounts with a location, the nearest first, then by fid.
 *
 * Places come from the index by distance, so only ties are sorted, and for each place at most a page of accounts is
 * read. A later page skips the places before it without reading their accounts. The limit of the places has no effect,
 * but without it the planner would read and sort all of them.
 * @param latitude degrees, -90 to 90. @param longitude degrees, -180 to 180
 * @param after the last account of the previous page; undefined: the first page
 */
export const selectNeighbours = readQuery(
  'account_by_distance',
  `select a.fid, p.distance as "distance!"
     from (select latitude, longitude, point <-> ${HERE} as distance from place
            where point <-> ${HERE} >= :distance::float8
            order by point <-> ${HERE} limit (select 9007199254740991)) p
    cross join lateral (
      select a.fid from account a
       where a.latitude = p.latitude and a.longitude = p.longitude
         and a.fid > case when p.distance > :distance::float8 then 0 else :fid::bigint end
         and ${accountExists('a')} and ${visibleTo('a.fid', ':viewer?', ':appId', { mutes: 'at once' })}
       order by a.fid limit :limit
    ) a
    order by p.distance, a.fid limit :limit`,
  ({ viewer, appId }) => [PLACES, ...audienceTagsOf(viewer, appId)],
).rows(
  (
    { viewer, appId }: Audience,
    here: { readonly latitude: number; readonly longitude: number },
    { after, limit }: { readonly after: NeighbourRow | undefined; readonly limit: number },
  ) => ({
    latitude: here.latitude,
    longitude: here.longitude,
    distance: after?.distance ?? -1,
    fid: after?.fid ?? 0,
    viewer,
    appId,
    limit,
  }),
);
