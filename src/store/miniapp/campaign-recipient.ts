import { selectQuery, writeQuery } from '../query-function.js';
import { arraysOf, type Camel } from '../table.js';
import type { Tables } from '../tables.js';

type Columns = Camel<Tables['campaign_recipient']>;

/** What became of a token. `disabled`: it was disabled or invalid before its turn. */
export type RecipientState = Columns['state'];

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
export const selectDueRecipients = writeQuery<DueRecipient>(
  'select_due_campaign_recipients',
  `with picked as materialized (
      select r.app_id, r.fid, r.client_fid, r.failures from campaign_recipient r
       where r.campaign_id = $1 and r.state = 'pending' and r.next_at <= $2
         and r.client_fid = (select h.client_fid from campaign_recipient h
                              where h.campaign_id = $1 and h.state = 'pending' and h.next_at <= $2
                              order by h.client_fid, h.fid limit 1)
       order by r.fid limit $3 for update skip locked)
    select p.fid, p.client_fid as "clientFid", t.url, t.token, t.status = 'enabled' as "isEnabled", p.failures
      from picked p join mini_app_token t using (app_id, fid, client_fid)
     order by p.fid
       for update of t skip locked`,
).rows((campaignId: string, { now, limit }: { readonly now: Date; readonly limit: number }) => [
  campaignId,
  now,
  limit,
]);

/** What users of a host were sent by other campaigns of the app. */
export interface RecentUse {
  readonly fid: number;
  readonly lastAt: Date;
  readonly count: number;
}

/** @returns what these users were sent since a time; users who were sent nothing are missing */
export const selectRecentUse = selectQuery<RecentUse>(
  'select_campaign_recent_use',
  `select u.fid, used."lastAt", used.count
     from unnest($2::bigint[]) as u(fid)
    cross join lateral (
      select max(r.sent_at) as "lastAt", count(*)::integer as count from campaign_recipient r
       where r.app_id = $1 and r.fid = u.fid and r.client_fid = $3 and r.sent_at > $4 and r.campaign_id <> $5) used
    where used.count > 0`,
).rows(
  (
    { id, appId }: { readonly id: string; readonly appId: string },
    { fids, clientFid, since }: { readonly fids: readonly number[]; readonly clientFid: number; readonly since: Date },
  ) => [appId, fids, clientFid, since, id],
);

/**
 * The recipients of a call follow each other. Their range makes the planner read these rows alone, even before it has
 * statistics of a campaign that was just written; otherwise it reads the whole campaign for each call.
 */
const rangeOf = (fids: readonly number[]): [number, number] => [Math.min(...fids), Math.max(...fids)];

/** Reserves recipients, at least one, for a call that begins now: if this process dies, others make the call again at `until`. */
export const updateRecipientsSent = writeQuery(
  'update_campaign_recipients_sent',
  `update campaign_recipient set sent_at = $6, next_at = $7
    where campaign_id = $1 and client_fid = $2 and fid = any($3::bigint[]) and fid between $4 and $5`,
).done(
  (
    campaignId: string,
    { clientFid, fids }: { readonly clientFid: number; readonly fids: readonly number[] },
    { now, until }: { readonly now: Date; readonly until: Date },
  ) => [campaignId, clientFid, fids, ...rangeOf(fids), now, until],
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
      set state = u.state, reason = u.reason, failures = r.failures + (u.state = 'pending')::integer, next_at = $7,
          sent_at = case when r.sent_at is not null then $6::timestamptz end
     from unnest($3::bigint[], $4::text[], $5::text[]) as u(fid, state, reason)
    where r.campaign_id = $1 and r.client_fid = $2 and r.fid = u.fid and r.state = 'pending'
      and r.fid between $8 and $9`,
).done(
  (
    campaignId: string,
    clientFid: number,
    outcomes: readonly RecipientOutcome[],
    { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
  ) => [
    campaignId,
    clientFid,
    ...arraysOf(outcomes, 'fid', 'state'),
    outcomes.map(({ reason }) => reason ?? null),
    now,
    nextAt,
    ...rangeOf(outcomes.map(({ fid }) => fid)),
  ],
);
