import type { OpenCount, OutcomeCount } from '../../store/column-type.js';
import type { CampaignState } from '../../store/miniapp/campaign.js';
import type { CampaignReport } from '../../store/miniapp/campaign-result.js';

/** What became of the tokens of a campaign, for the answer to its request. */
export interface CampaignTotals {
  readonly successes: number;
  readonly failures: number;
  /** Tokens that were disabled or invalid before their turn. */
  readonly notAttempted: number;
}

const sum = (counts: readonly OutcomeCount[], matches: (count: OutcomeCount) => boolean): number =>
  counts.filter(matches).reduce((total, { count }) => total + count, 0);

/** @param state of a completed campaign */
export const totalsOf = ({ result, tokenCount, disabledCount }: CampaignState): CampaignTotals => {
  const counts = result ?? [];
  const successes = sum(counts, ({ state }) => state === 'delivered');
  const disabled = sum(counts, ({ state }) => state === 'disabled');
  return { successes, failures: tokenCount - successes - disabled, notAttempted: disabledCount + disabled };
};

const groupBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  amountOf: (item: Item) => number,
): Record<string, number> => {
  const groups = new Map<string, number>();
  for (const item of items) {
    const key = String(keyOf(item));
    groups.set(key, (groups.get(key) ?? 0) + amountOf(item));
  }
  return Object.fromEntries(groups);
};

const countOf = ({ count }: { readonly count: number }): number => count;

/** Names of the reasons, in the spelling of the interface. */
const REASONS: Readonly<Record<string, string>> = { invalid: 'invalid_token', disabled: 'disabled_token' };

const isStatus = (reason: string | null): boolean => /^\d+$/.test(reason ?? '');

/** @returns failures by reason, and failed calls by the status of the response */
const breakdownOf = (counts: readonly OutcomeCount[]) => {
  const failed = counts.filter(({ state }) => state !== 'delivered' && state !== 'pending');
  const byStatus = failed.filter(({ reason }) => isStatus(reason));
  const others = failed.filter(({ reason }) => !isStatus(reason));
  return {
    delivery_errors: groupBy(others, ({ state, reason }) => reason ?? REASONS[state] ?? state, countOf),
    http_errors: groupBy(byStatus, ({ reason }) => reason as string, countOf),
  };
};

const byClient = (opens: readonly OpenCount[], amountOf: (open: OpenCount) => number) =>
  groupBy(opens, ({ clientFid }) => clientFid, amountOf);

const total = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((all, value) => all + value, 0);

/**
 * @returns a campaign as the interface shows it. Once it is completed, the successful sends and all errors together are
 *   the intended recipients.
 */
export const viewCampaign = (campaign: CampaignReport) => {
  const { id, title, body, status, tokenCount, clientFids, createdAt, completedAt, counts, opens } = campaign;
  const successes = counts.filter(({ state }) => state === 'delivered');
  const successesByClient = groupBy(successes, ({ clientFid }) => clientFid, countOf);
  const opensByClient = byClient(opens, (open) => open.total);
  const usersByClient = byClient(opens, ({ users }) => users);
  return {
    id,
    title,
    body,
    status,
    created_at: createdAt.toISOString(),
    queued_at: createdAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
    stats: {
      intended_recipient_notification_token_count: tokenCount,
      intended_recipient_app_fids: [...clientFids],
      successful_sends: total(successesByClient),
      successful_sends_by_app_fid: successesByClient,
      total_opens: total(opensByClient),
      total_opens_by_app_fid: opensByClient,
      unique_opens: total(usersByClient),
      unique_opens_by_app_fid: usersByClient,
      error_breakdown: breakdownOf(counts),
    },
  };
};
