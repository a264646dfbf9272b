import { type RowOf, selectQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText, type Written } from '../table.js';
import type { Tables } from '../tables.js';

type Columns = Camel<Written<Tables['campaign']>>;

/** What a notification says. */
export type CampaignText = Pick<Columns, 'title' | 'body' | 'targetUrl'>;

const NEW = [
  'id',
  'app_id',
  'idempotency_key',
  'body_digest',
  'title',
  'body',
  'target_url',
  'status',
  'token_count',
  'disabled_count',
  'client_fids',
  'created_at',
] as const;

export type NewCampaign = Pick<Columns, 'id' | 'appId' | 'idempotencyKey' | 'bodyDigest' | 'createdAt'> & CampaignText;

/**
 * Stores a campaign without recipients.
 * @returns false if the app has one with this idempotency key; nothing is stored then
 */
export const insertCampaign = writeQuery(
  'insert_campaign',
  insertText('campaign', NEW, 'on conflict (app_id, idempotency_key) do nothing returning id'),
).hasRows((campaign: NewCampaign) => ({
  ...campaign,
  status: 'queued',
  tokenCount: 0,
  disabledCount: 0,
  clientFids: [],
}));

const STATE = `id, body_digest as "bodyDigest", status, token_count as "tokenCount", disabled_count as "disabledCount",
  result, retryable_fids as "retryableFids"`;

/** A campaign for the answer to the request that made it. */
export type CampaignState = RowOf<'select_campaign_by_key'>;

/** @returns the app's campaign with this idempotency key */
export const selectCampaignByKey = selectQuery(
  'select_campaign_by_key',
  `select ${STATE} from campaign where app_id = :appId and idempotency_key = :key`,
).first((appId: string, key: string) => ({ appId, key }));

export const selectCampaignState = selectQuery(
  'select_campaign_state',
  `select ${STATE} from campaign where id = :id`,
).first((id: string) => ({ id }));

/** @returns campaigns with calls that are due, or with none left to make, oldest first */
export const selectDueCampaigns = selectQuery(
  'select_due_campaigns',
  `select c.id from campaign c
    where c.status <> 'completed'
      and (exists (select from campaign_recipient r
                    where r.campaign_id = c.id and r.state = 'pending' and r.next_at <= :now)
           or not exists (select from campaign_recipient r where r.campaign_id = c.id and r.state = 'pending'))
    order by c.created_at`,
).column('id', (now: Date) => ({ now }));

/** A campaign as it is sent. */
export type RunningCampaign = Pick<Columns, 'id' | 'appId'> & CampaignText;

/** @returns the campaign, whose status is `running` now; undefined if it is completed */
export const updateCampaignRunning = writeQuery(
  'update_campaign_running',
  `update campaign set status = 'running' where id = :id and status <> 'completed'
    returning id, app_id as "appId", title, body, target_url as "targetUrl"`,
).first((id: string) => ({ id }));

/** Deletes the recipients of campaigns that were completed before a time; their results stay. */
export const deleteOldCampaignRecipients = writeQuery(
  'delete_old_campaign_recipients',
  `delete from campaign_recipient r using campaign c
    where c.id = r.campaign_id and c.status = 'completed' and c.completed_at < :before`,
).done((before: Date) => ({ before }));
