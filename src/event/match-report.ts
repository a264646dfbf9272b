import type { CastFacts } from '../hydrate/cast-facts.js';
import type { SocialEvent } from '../protocol/event/social-event.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { embeddedUrls, eventKeys, URL_FILTERS, usdOf } from './filter-key.js';
import type { IsFound } from './pattern-search.js';

/** What one filter says about an event. */
export interface FilterCheck {
  readonly filter: string;
  /** One alternative that matches is enough; every condition must hold. */
  readonly kind: 'alternative' | 'condition';
  readonly matches: boolean;
  readonly reason: string;
}

export interface MatchReport {
  readonly matches: boolean;
  readonly reason: string;
  readonly checks: FilterCheck[];
}

/** What a comparison needs besides the event. */
export interface MatchKnowledge {
  /** The results of the searches for regular expressions. */
  readonly isFound: IsFound;
  /** Returns the other spellings of a channel's URL. */
  readonly aliasesOf?: (url: string) => readonly string[];
}

type Compare = (name: string, value: unknown) => FilterCheck;

const compareWith =
  (event: SocialEvent, facts: CastFacts | undefined, { aliasesOf, isFound }: Required<MatchKnowledge>): Compare =>
  (filter, value) => {
    const check = (kind: FilterCheck['kind'], matches: boolean, reason: string): FilterCheck => ({
      filter,
      kind,
      matches,
      reason,
    });
    if (filter === 'minimum_author_score' || filter === 'minimum_trader_service_score') {
      const score = facts?.authorScore ?? 1;
      const who = filter === 'minimum_author_score' ? 'author' : 'trader';
      return check('condition', score >= (value as number), `The ${who}'s score is ${score}, the minimum ${value}.`);
    }
    if (filter === 'minimum_token_amount_usdc') {
      const usd = usdOf(event);
      return check(
        'condition',
        usd >= (value as number),
        `The trade is worth ${usd} US dollars, the minimum ${value}.`,
      );
    }
    if (filter === 'exclude_author_fids') {
      const isExcluded = (value as number[]).includes(event.fid);
      return check('condition', !isExcluded, `The author ${event.fid} is ${isExcluded ? '' : 'not '}excluded.`);
    }
    if (filter === 'text' || filter === 'embeds') {
      const found = (filter === 'text' ? [facts?.text ?? ''] : embeddedUrls(event)).some((text) =>
        isFound(value as string, text),
      );
      const where = filter === 'text' ? 'the text' : 'an embedded URL';
      return check('alternative', found, `${value} is ${found ? '' : 'not '}found in ${where}.`);
    }
    const listed = value as (number | string)[];
    const wanted = new Set(
      URL_FILTERS.has(filter) ? listed.flatMap((url) => [url, ...aliasesOf(String(url))]) : listed,
    );
    const keys = eventKeys(event, facts)[filter] ?? [];
    const hit = keys.find((key) => wanted.has(key));
    if (hit !== undefined) return check('alternative', true, `${hit} is in the list.`);
    return check('alternative', false, keys.length === 0 ? 'The event has none.' : `${keys.join(', ')} is not in it.`);
  };

/**
 * Explains why filters match an event or not, filter by filter: the rule of the `Matcher` without its indexes.
 * @param filters as `readFilters` returns them
 */
export const explainMatch = (
  filters: WebhookSubscriptionFilters,
  event: SocialEvent,
  facts: CastFacts | undefined,
  { isFound, aliasesOf = () => [] }: MatchKnowledge,
): MatchReport => {
  const filter = filters[event.type];
  if (filter === undefined) {
    return { matches: false, reason: `The webhook is not subscribed to ${event.type}.`, checks: [] };
  }
  const compare = compareWith(event, facts, { aliasesOf, isFound });
  const checks = Object.entries(filter).map(([name, value]) => compare(name, value));
  const failed = checks.find(({ kind, matches }) => kind === 'condition' && !matches);
  if (failed) return { matches: false, reason: failed.reason, checks };
  const alternatives = checks.filter(({ kind }) => kind === 'alternative');
  if (alternatives.length === 0) return { matches: true, reason: `Every ${event.type} matches.`, checks };
  const hit = alternatives.find(({ matches }) => matches);
  if (hit) return { matches: true, reason: `${hit.filter}: ${hit.reason}`, checks };
  return { matches: false, reason: 'None of the alternatives matches.', checks };
};
