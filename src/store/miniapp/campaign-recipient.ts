import { execute, type Session, sql } from '../../db/statement.js';
import type { Camel } from '../table.js';
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

const selectDueRecipientsSql = sql<DueRecipient>(
  'select_due_campaign_recipients',
  `with head as materialized (
      select r.client_fid, t.url
        from campaign_recipient r join mini_app_token t using (app_id, fid, client_fid)
       where r.campaign_id = $1 and r.state = 'pending' and r.next_at <= $2
       order by r.client_fid, r.fid limit 1)
    select r.fid, r.client_fid as "clientFid", t.url, t.token, t.status = 'enabled' as "isEnabled", r.failures
      from campaign_recipient r join mini_app_token t using (app_id, fid, client_fid)
     where r.campaign_id = $1 and r.state = 'pending' and r.next_at <= $2
       and r.client_fid = (select client_fid from head) and t.url = (select url from head)
     order by r.fid limit $3
       for update of r, t skip locked`,
);

/**
 * Locks recipients whose turn it is until the transaction ends, with their tokens: another campaign that sends to the
 * same tokens chooses others meanwhile.
 * @returns tokens of one host at one address
 */
export const selectDueRecipients = (
  session: Session,
  campaignId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DueRecipient[]> => session.run(selectDueRecipientsSql, [campaignId, now, limit]);

/** What users of a host were sent by other campaigns of the app. */
export interface RecentUse {
  readonly fid: number;
  readonly lastAt: Date;
  readonly count: number;
}

const selectRecentUseSql = sql<RecentUse>(
  'select_campaign_recent_use',
  `select r.fid, max(r.sent_at) as "lastAt", count(*)::integer as count
     from campaign_recipient r
    where r.app_id = $1 and r.fid = any($2::bigint[]) and r.client_fid = $3 and r.sent_at > $4 and r.campaign_id <> $5
    group by r.fid`,
);

/** @returns what these users were sent since a time; users who were sent nothing are missing */
export const selectRecentUse = (
  session: Session,
  { id, appId }: { readonly id: string; readonly appId: string },
  { fids, clientFid, since }: { readonly fids: readonly number[]; readonly clientFid: number; readonly since: Date },
): Promise<RecentUse[]> => session.select(selectRecentUseSql, [appId, fids, clientFid, since, id]);

const updateRecipientsSentSql = sql(
  'update_campaign_recipients_sent',
  `update campaign_recipient set sent_at = $4, next_at = $5
    where campaign_id = $1 and client_fid = $2 and fid = any($3::bigint[])`,
);

/** Reserves recipients for a call that begins now: if this process dies, others make the call again at `until`. */
export const updateRecipientsSent = (
  session: Session,
  campaignId: string,
  { clientFid, fids }: { readonly clientFid: number; readonly fids: readonly number[] },
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> => execute(session, updateRecipientsSentSql, [campaignId, clientFid, fids, now, until]);

/** The outcome for one recipient; `pending`: the call failed, and is made again. */
export interface RecipientOutcome {
  readonly fid: number;
  readonly state: RecipientState;
  readonly reason?: string | undefined;
}

const settleRecipientsSql = sql(
  'settle_campaign_recipients',
  `update campaign_recipient r
      set state = u.state, reason = u.reason, failures = r.failures + (u.state = 'pending')::integer, next_at = $7,
          sent_at = case when r.sent_at is not null then $6::timestamptz end
     from unnest($3::bigint[], $4::text[], $5::text[]) as u(fid, state, reason)
    where r.campaign_id = $1 and r.client_fid = $2 and r.fid = u.fid and r.state = 'pending'`,
);

/**
 * Stores outcomes.
 * @param times `now`: the end of the call, before which the host received it; `nextAt`: time of the next call for those
 *   that remain pending
 */
export const settleRecipients = (
  session: Session,
  campaignId: string,
  clientFid: number,
  outcomes: readonly RecipientOutcome[],
  { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
): Promise<void> =>
  execute(session, settleRecipientsSql, [
    campaignId,
    clientFid,
    outcomes.map(({ fid }) => fid),
    outcomes.map(({ state }) => state),
    outcomes.map(({ reason }) => reason ?? null),
    now,
    nextAt,
  ]);
