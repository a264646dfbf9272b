import { type RowOf, selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

type Columns = Camel<Tables['campaign_recipient']>;

/** What became of a token. `disabled`: it was disabled or invalid before its turn. */
export type RecipientState = Columns['state'];

/** Maximum number of tokens of a campaign whose response says what became of each. */
export const MAX_LISTED_DELIVERIES = 100;

/** @returns what became of the first tokens of a campaign, until its recipients are deleted */
export const selectCampaignDeliveries = selectQuery(
  'campaign_delivery_list',
  `select fid, client_fid as "clientFid", state from campaign_recipient
    where campaign_id = :id order by fid, client_fid limit ${MAX_LISTED_DELIVERIES}`,
).rows((id: string) => ({ id }));

export type CampaignDelivery = RowOf<'campaign_delivery_list'>;

/** A token whose turn it is, at the address of its host. */
export interface DueRecipient {
  readonly fid: number;
  readonly clientFid: number;
  readonly url: string;
  readonly token: string;
  readonly isEnabled: boolean;
  /** Failed calls of this campaign. */
  readonly failures: number;
}

/**
 * Locks recipients whose turn it is until the transaction ends, with their tokens: another campaign that sends to the
 * same tokens chooses others meanwhile.
 * @returns tokens of one host, ordered by user; a few of them may be at other addresses
 */
export const selectDueRecipients = writeQuery(
  'select_due_campaign_recipients',
  `with picked as materialized (
      select r.app_id, r.fid, r.client_fid, r.failures from campaign_recipient r
       where r.campaign_id = :campaignId and r.state = 'pending' and r.next_at <= :now
         and r.client_fid = (select h.client_fid from campaign_recipient h
                              where h.campaign_id = :campaignId and h.state = 'pending' and h.next_at <= :now
                              order by h.client_fid, h.fid limit 1)
       order by r.fid limit :limit for update skip locked)
    select p.fid, p.client_fid as "clientFid", t.url, t.token, t.status = 'enabled' as "isEnabled!", p.failures
      from picked p join mini_app_token t using (app_id, fid, client_fid)
     order by p.fid
       for update of t skip locked`,
).rows((campaignId: string, { now, limit }: { readonly now: Date; readonly limit: number }) => ({
  campaignId,
  now,
  limit,
}));

/** @returns what these users were sent since a time; users who were sent nothing are missing */
export const selectRecentUse = selectQuery(
  'select_campaign_recent_use',
  `select u.fid as "fid!", used."lastAt" as "lastAt!", used.count as "count!"
     from unnest(:fids::bigint[]) as u(fid)
    cross join lateral (
      select max(r.sent_at) as "lastAt", count(*)::integer as count from campaign_recipient r
       where r.app_id = :appId and r.fid = u.fid and r.client_fid = :clientFid and r.sent_at > :since and r.campaign_id <> :id) used
    where used.count > 0`,
).rows(
  (
    { id, appId }: { readonly id: string; readonly appId: string },
    { fids, clientFid, since }: { readonly fids: readonly number[]; readonly clientFid: number; readonly since: Date },
  ) => ({ appId, fids, clientFid, since, id }),
);

/**
 * The recipients of a call follow each other. Their range makes the planner read these rows alone, even before it has
 * statistics of a campaign that was just written; otherwise it reads the whole campaign for each call.
 */
const rangeOf = (fids: readonly number[]) => ({ firstFid: Math.min(...fids), lastFid: Math.max(...fids) });

/** Reserves recipients, at least one, for a call that begins now: if this process dies, others make the call again at `until`. */
export const updateRecipientsSent = writeQuery(
  'update_campaign_recipients_sent',
  `update campaign_recipient set sent_at = :now, next_at = :until
    where campaign_id = :campaignId and client_fid = :clientFid and fid = any(:fids::bigint[]) and fid between :firstFid and :lastFid`,
).done(
  (
    campaignId: string,
    { clientFid, fids }: { readonly clientFid: number; readonly fids: readonly number[] },
    { now, until }: { readonly now: Date; readonly until: Date },
  ) => ({ campaignId, clientFid, fids, ...rangeOf(fids), now, until }),
);

/** The outcome for one recipient; `pending`: the call failed, and is made again. */
export interface RecipientOutcome {
  readonly fid: number;
  readonly state: RecipientState;
  readonly reason?: string | undefined;
}

/**
 * Stores outcomes of at least one recipient.
 * @param times `now`: the end of the call, before which the host received it; `nextAt`: time of the next call for those
 *   that remain pending
 */
export const settleRecipients = writeQuery(
  'settle_campaign_recipients',
  `update campaign_recipient r
      set state = u.state, reason = u.reason, failures = r.failures + (u.state = 'pending')::integer, next_at = :nextAt,
          sent_at = case when r.sent_at is not null then :now::timestamptz end
     from unnest(:fids::bigint[], :states::text[], :reasons?::text[]) as u(fid, state, reason)
    where r.campaign_id = :campaignId and r.client_fid = :clientFid and r.fid = u.fid and r.state = 'pending'
      and r.fid between :firstFid and :lastFid`,
).done(
  (
    campaignId: string,
    clientFid: number,
    outcomes: readonly RecipientOutcome[],
    { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
  ) => ({
    campaignId,
    clientFid,
    fids: outcomes.map((row) => row.fid),
    states: outcomes.map((row) => row.state),
    reasons: outcomes.map(({ reason }) => reason ?? null),
    now,
    nextAt,
    ...rangeOf(outcomes.map(({ fid }) => fid)),
  }),
);
