import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery, writeQuery } from '../query-function.js';

/** Maximum number of tokens of a campaign whose response lists the accounts to try again. */
const MAX_LISTED_TOKENS = 1000;

/** Counts the recipients of the campaign `c`. */
const COUNTS = `
  (select coalesce(jsonb_agg(jsonb_build_object('clientFid', o.client_fid, 'state', o.state, 'reason', o.reason,
                                                'count', o.count)), '[]')
     from (select r.client_fid, r.state, r.reason, count(*) as count from campaign_recipient r
            where r.campaign_id = c.id group by r.client_fid, r.state, r.reason) o)`;

/** Completes a campaign without pending recipients. @returns whether this call did */
export const completeCampaign = writeQuery(
  'complete_campaign',
  `update campaign c set status = 'completed', completed_at = :now, result = ${COUNTS},
          retryable_fids = case when c.token_count <= ${MAX_LISTED_TOKENS} then array(
            select distinct r.fid from campaign_recipient r
             where r.campaign_id = c.id and r.state in ('rate_limited', 'failed', 'http_error') order by r.fid) end
    where c.id = :id and c.status <> 'completed'
      and not exists (select from campaign_recipient p where p.campaign_id = c.id and p.state = 'pending')
    returning c.id`,
).hasRows((id: string, now: Date) => ({ id, now }));

/** A campaign with what became of its tokens so far. */
export type CampaignReport = RowOf<'campaign_report_list'>;

/** @param condition of a campaign, in addition to its app */
const reportsOf = <Name extends 'campaign_report_list' | 'campaign_report_one'>(name: Name, condition: string) =>
  readQuery(
    name,
    `select c.id, c.title, c.body, c.status, c.token_count as "tokenCount", c.client_fids as "clientFids",
            c.created_at as "createdAt", c.completed_at as "completedAt",
            case when c.status = 'completed' then c.result else ${COUNTS} end as "counts!",
            (select coalesce(jsonb_agg(jsonb_build_object('clientFid', o.client_fid, 'total', o.total,
                                                          'users', o.distinct_users)), '[]')
               from campaign_open_count o where o.campaign_id = c.id) as "opens!"
       from campaign c
      where c.app_id = :appId::uuid and (c.created_at, c.id) < (:beforeAt::timestamptz, :beforeId::uuid) ${condition}
      order by c.created_at desc, c.id desc limit :limit`,
  ).rows();

const allReports = reportsOf('campaign_report_list', '');
const oneReport = reportsOf('campaign_report_one', 'and c.id = :id::uuid');

/** Later than any campaign. */
const NEVER = { at: Date.UTC(9999, 0), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** @returns campaigns of an app, newest first. @param id undefined: all */
export const selectCampaignReports = (
  db: Reader,
  { appId, id }: { readonly appId: string; readonly id: string | undefined },
  after: { readonly at: number; readonly id: string } = NEVER,
  limit: number,
): Promise<CampaignReport[]> => {
  const page = { appId, beforeAt: new Date(after.at), beforeId: after.id, limit };
  return id === undefined ? allReports(db, page) : oneReport(db, { ...page, id });
};
