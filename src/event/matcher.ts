import type { CastFactNeeds, CastFacts } from '../hydrate/cast-facts.js';
import { EVENT_TYPES, type EventType, type SocialEvent } from '../protocol/event/social-event.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { embeddedUrls, eventKeys, URL_FILTERS, usdOf } from './filter-key.js';
import type { IsFound } from './pattern-search.js';
import type { PatternTask } from './pattern-thread.js';

/** One target's filter of one type of event: the conditions that must hold besides one of its alternatives. */
interface Subscription<Target> {
  readonly target: Target;
  readonly minimumScore: number;
  /** Minimum worth of a trade in US dollars. */
  readonly minimumUsd: number;
  readonly excluded: ReadonlySet<number>;
}

type Key = number | string;

/** The subscriptions that ask for each value of a filter. */
type Wanted<Of, Target> = Map<Of, Set<Subscription<Target>>>;

const addTo = <Of, Target>(wanted: Wanted<Of, Target>, value: Of, subscription: Subscription<Target>): void => {
  const known = wanted.get(value);
  if (known === undefined) wanted.set(value, new Set([subscription]));
  else known.add(subscription);
};

const removeFrom = <Of, Target>(wanted: Wanted<Of, Target>, value: Of, subscription: Subscription<Target>): void => {
  const known = wanted.get(value);
  known?.delete(subscription);
  if (known?.size === 0) wanted.delete(value);
};

/** The subscriptions to one type of event. */
class TypeIndex<Target> {
  /** Those without alternatives. */
  readonly all = new Set<Subscription<Target>>();
  /** By name of the filter, then by value. */
  readonly lists = new Map<string, Wanted<Key, Target>>();
  /** By regular expression. */
  readonly patterns = { text: new Map() as Wanted<string, Target>, embeds: new Map() as Wanted<string, Target> };
  /** Those with a minimum score. */
  readonly scored = new Set<Subscription<Target>>();

  add(name: string, key: Key, subscription: Subscription<Target>): void {
    const values = this.lists.get(name) ?? new Map();
    this.lists.set(name, values);
    addTo(values, key, subscription);
  }

  remove(name: string, key: Key, subscription: Subscription<Target>): void {
    const values = this.lists.get(name);
    if (values === undefined) return;
    removeFrom(values, key, subscription);
    if (values.size === 0) this.lists.delete(name);
  }
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

const NO_FIDS: ReadonlySet<number> = new Set();

/**
 * Finds the targets whose filters an event matches. Lists are inverted, so that an event is looked up by its few values,
 * however many subscriptions there are.
 *
 * A subscription matches if the author is not excluded, has the minimum score, a trade has the minimum worth, and one of
 * the alternatives (lists and regular expressions) matches; without alternatives, every event of the type does.
 */
export class Matcher<Target> {
  readonly #aliasesOf: (url: string) => readonly string[];
  readonly #types = new Map<EventType, TypeIndex<Target>>(EVENT_TYPES.map((type) => [type, new TypeIndex<Target>()]));

  /** @param aliasesOf returns the other spellings of a channel's URL */
  constructor(aliasesOf: (url: string) => readonly string[] = () => []) {
    this.#aliasesOf = aliasesOf;
  }

  /** The facts that some filter asks for. */
  get needs(): CastFactNeeds {
    const indexes = [...this.#types.values()];
    return {
      text: indexes.some(({ patterns }) => patterns.text.size > 0),
      rootParentUrl: indexes.some(({ lists }) => lists.has('root_parent_urls')),
      score: indexes.some(({ scored }) => scored.size > 0),
    };
  }

  /**
   * @param filters as `readFilters` returns them
   * @returns a function that removes them
   */
  add(filters: WebhookSubscriptionFilters, target: Target): () => void {
    const removals = Object.entries(filters).map(([type, filter]) => {
      const index = this.#types.get(type as EventType) as TypeIndex<Target>;
      return this.#addType(index, { ...filter }, target);
    });
    return () => {
      for (const remove of removals) remove();
    };
  }

  #addType(index: TypeIndex<Target>, filter: Readonly<Record<string, unknown>>, target: Target): () => void {
    const { minimum_author_score, minimum_trader_service_score, minimum_token_amount_usdc, ...others } = filter;
    const { exclude_author_fids: excluded, text, embeds, ...lists } = others;
    const subscription: Subscription<Target> = {
      target,
      minimumScore: numberOf(minimum_author_score ?? minimum_trader_service_score),
      minimumUsd: numberOf(minimum_token_amount_usdc),
      excluded: Array.isArray(excluded) ? new Set(excluded) : NO_FIDS,
    };
    const patterns = [
      ...(typeof text === 'string' ? [[index.patterns.text, text] as const] : []),
      ...(typeof embeds === 'string' ? [[index.patterns.embeds, embeds] as const] : []),
    ];
    const entries = Object.entries(lists) as [string, Key[]][];
    const keys = entries.flatMap(([name, values]) => {
      const spelled = URL_FILTERS.has(name) ? values.flatMap((url) => [url, ...this.#aliasesOf(String(url))]) : values;
      return spelled.map((key) => [name, key] as const);
    });
    const sets = [
      ...(subscription.minimumScore > 0 ? [index.scored] : []),
      ...(keys.length === 0 && patterns.length === 0 ? [index.all] : []),
    ];
    for (const [name, key] of keys) index.add(name, key, subscription);
    for (const [wanted, pattern] of patterns) addTo(wanted, pattern, subscription);
    for (const set of sets) set.add(subscription);
    return () => {
      for (const [name, key] of keys) index.remove(name, key, subscription);
      for (const [wanted, pattern] of patterns) removeFrom(wanted, pattern, subscription);
      for (const set of sets) set.delete(subscription);
    };
  }

  /**
   * @param facts in the order of the events, as far as `needs` asks for them
   * @returns the searches for regular expressions that `match` needs the results of
   */
  searches(events: readonly SocialEvent[], facts: readonly (CastFacts | undefined)[]): PatternTask[] {
    return [...this.#types].flatMap(([type, { patterns }]) => {
      if (patterns.text.size === 0 && patterns.embeds.size === 0) return [];
      const texts = new Set<string>();
      const urls = new Set<string>();
      for (const [index, event] of events.entries()) {
        if (event.type !== type) continue;
        texts.add(facts[index]?.text ?? '');
        for (const url of embeddedUrls(event)) urls.add(url);
      }
      return [
        { patterns: [...patterns.text.keys()], texts: [...texts] },
        { patterns: [...patterns.embeds.keys()], texts: [...urls] },
      ];
    });
  }

  /**
   * @param facts of the event, as far as `needs` asks for them
   * @param isFound the results of `searches`
   * @returns each target once
   */
  match(event: SocialEvent, facts: CastFacts | undefined, isFound: IsFound): Target[] {
    const index = this.#types.get(event.type) as TypeIndex<Target>;
    const found = new Set(index.all);
    if (index.lists.size > 0) {
      const keys = eventKeys(event, facts);
      for (const [name, values] of index.lists) {
        for (const key of keys[name] ?? []) for (const one of values.get(key) ?? []) found.add(one);
      }
    }
    const addFound = (wanted: Wanted<string, Target>, texts: readonly string[]): void => {
      for (const [pattern, subscriptions] of wanted) {
        if (texts.some((text) => isFound(pattern, text))) for (const one of subscriptions) found.add(one);
      }
    };
    addFound(index.patterns.text, [facts?.text ?? '']);
    if (index.patterns.embeds.size > 0) addFound(index.patterns.embeds, embeddedUrls(event));
    const targets = new Set<Target>();
    const [score, usd] = [facts?.authorScore ?? 1, usdOf(event)];
    for (const { target, excluded, minimumScore, minimumUsd } of found) {
      if (!excluded.has(event.fid) && score >= minimumScore && usd >= minimumUsd) targets.add(target);
    }
    return [...targets];
  }
}
