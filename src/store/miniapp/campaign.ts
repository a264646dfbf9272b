import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, columnList, first, hasRows, insertText, valuesOf, type Written } from '../table.js';
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

const insertCampaignSql = sql<{ id: string }>(
  'insert_campaign',
  insertText('campaign', NEW, 'on conflict (app_id, idempotency_key) do nothing returning id'),
);

export type NewCampaign = Pick<Columns, 'id' | 'appId' | 'idempotencyKey' | 'bodyDigest' | 'createdAt'> & CampaignText;

/**
 * Stores a campaign without recipients.
 * @returns false if the app has one with this idempotency key; nothing is stored then
 */
export const insertCampaign = (session: Session, campaign: NewCampaign): Promise<boolean> =>
  hasRows(
    session.run(
      insertCampaignSql,
      valuesOf(NEW, { ...campaign, status: 'queued', tokenCount: 0, disabledCount: 0, clientFids: [] }),
    ),
  );

const STATE = ['id', 'body_digest', 'status', 'token_count', 'disabled_count', 'result', 'retryable_fids'] as const;

/** A campaign for the answer to the request that made it. */
export type CampaignState = Camel<Pick<Tables['campaign'], (typeof STATE)[number]>>;

const selectCampaignByKeySql = sql<CampaignState>(
  'select_campaign_by_key',
  `select ${columnList(STATE)} from campaign where app_id = $1 and idempotency_key = $2`,
);

/** @returns the app's campaign with this idempotency key */
export const selectCampaignByKey = (session: Session, appId: string, key: string): Promise<CampaignState | undefined> =>
  first(session.select(selectCampaignByKeySql, [appId, key]));

const selectCampaignStateSql = sql<CampaignState>(
  'select_campaign_state',
  `select ${columnList(STATE)} from campaign where id = $1`,
);

export const selectCampaignState = (session: Session, id: string): Promise<CampaignState | undefined> =>
  first(session.select(selectCampaignStateSql, [id]));

const selectDueCampaignsSql = sql<{ id: string }>(
  'select_due_campaigns',
  `select c.id from campaign c
    where c.status <> 'completed'
      and (exists (select from campaign_recipient r
                    where r.campaign_id = c.id and r.state = 'pending' and r.next_at <= $1)
           or not exists (select from campaign_recipient r where r.campaign_id = c.id and r.state = 'pending'))
    order by c.created_at`,
);

/** @returns campaigns with calls that are due, or with none left to make, oldest first */
export const selectDueCampaigns = async (session: Session, now: Date): Promise<string[]> =>
  (await session.select(selectDueCampaignsSql, [now])).map(({ id }) => id);

/** A campaign as it is sent. */
export type RunningCampaign = Pick<Columns, 'id' | 'appId'> & CampaignText;

const updateCampaignRunningSql = sql<RunningCampaign>(
  'update_campaign_running',
  `update campaign set status = 'running' where id = $1 and status <> 'completed'
    returning id, app_id as "appId", title, body, target_url as "targetUrl"`,
);

/** @returns the campaign, whose status is `running` now; undefined if it is completed */
export const updateCampaignRunning = (session: Session, id: string): Promise<RunningCampaign | undefined> =>
  first(session.run(updateCampaignRunningSql, [id]));

const deleteOldRecipientsSql = sql(
  'delete_old_campaign_recipients',
  `delete from campaign_recipient r using campaign c
    where c.id = r.campaign_id and c.status = 'completed' and c.completed_at < $1`,
);

/** Deletes the recipients of campaigns that were completed before a time; their results stay. */
export const deleteOldCampaignRecipients = (session: Session, before: Date): Promise<void> =>
  execute(session, deleteOldRecipientsSql, [before]);
