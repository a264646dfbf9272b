import { writeQuery } from '../query-function.js';

/**
 * Counts that a user opened a notification.
 * @param open `appId` is null where the campaign alone says which notification it is
 * @param most openings of one user that are counted
 * @returns whether it counts: the notification was sent to this user, and not opened as often before
 */
export const addCampaignOpen = writeQuery(
  'add_campaign_open',
  `with opened as (
      update campaign_recipient set open_count = open_count + 1
       where campaign_id = :campaignId and app_id = coalesce(:appId?::uuid, app_id) and fid = :fid and client_fid = :clientFid and sent_at is not null
         and open_count < :most
      returning campaign_id, client_fid, open_count)
    insert into campaign_open_count as o (campaign_id, client_fid, total, distinct_users)
    select campaign_id, client_fid, 1, 1 from opened
    on conflict (campaign_id, client_fid) do update
      set total = o.total + 1,
          distinct_users = o.distinct_users + (select count(*) from opened where open_count = 1)
    returning campaign_id as "campaignId"`,
).hasRows(
  (
    open: {
      readonly campaignId: string;
      readonly appId: string | null;
      readonly fid: number;
      readonly clientFid: number;
    },
    most: number,
  ) => ({ campaignId: open.campaignId, appId: open.appId, fid: open.fid, clientFid: open.clientFid, most }),
);
