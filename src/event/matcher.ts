import type { CastFactNeeds, CastFacts } from '../hydrate/cast-facts.js';
import { EVENT_TYPES, type EventType, type SocialEvent } from '../protocol/event/social-event.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { embeddedUrls, eventKeys, URL_FILTERS } from './filter-key.js';
import { compilePattern, type Pattern } from './pattern.js';

/** One subscription to one type of event: the conditions that hold whatever the alternatives say. */
interface Subscription<Target> {
  readonly target: Target;
  readonly minimumScore: number;
  readonly excluded: ReadonlySet<number>;
  readonly text: Pattern | undefined;
  readonly embeds: Pattern | undefined;
}

type Key = number | string;

/** The subscriptions to one type of event. */
class TypeIndex<Target> {
  /** Those without alternatives. */
  readonly all = new Set<Subscription<Target>>();
  /** By name of the filter, then by value. */
  readonly lists = new Map<string, Map<Key, Set<Subscription<Target>>>>();
  readonly texts = new Set<Subscription<Target>>();
  readonly embeds = new Set<Subscription<Target>>();
  readonly scored = new Set<Subscription<Target>>();

  add(name: string, key: Key, subscription: Subscription<Target>): void {
    const values = this.lists.get(name) ?? new Map<Key, Set<Subscription<Target>>>();
    this.lists.set(name, values);
    const subscriptions = values.get(key);
    if (subscriptions === undefined) values.set(key, new Set([subscription]));
    else subscriptions.add(subscription);
  }

  remove(name: string, key: Key, subscription: Subscription<Target>): void {
    const values = this.lists.get(name);
    const subscriptions = values?.get(key);
    subscriptions?.delete(subscription);
    if (subscriptions?.size === 0) values?.delete(key);
    if (values?.size === 0) this.lists.delete(name);
  }
}

const NO_FIDS: ReadonlySet<number> = new Set();

/**
 * Finds the targets whose filters an event matches. Lists are inverted, so that an event is looked up by its few values,
 * however many subscriptions there are.
 *
 * A subscription matches if the author is not excluded, has the minimum score, and one of the alternatives (lists and
 * regular expressions) matches; without alternatives, every event of the type does.
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
      text: indexes.some(({ texts }) => texts.size > 0),
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
      const index = this.#types.get(type as EventType);
      // Trades are not among the events of this version.
      return index === undefined ? () => undefined : this.#addType(index, { ...filter }, target);
    });
    return () => {
      for (const remove of removals) remove();
    };
  }

  #addType(index: TypeIndex<Target>, filter: Readonly<Record<string, unknown>>, target: Target): () => void {
    const { minimum_author_score: score, exclude_author_fids: excluded, text, embeds, ...lists } = filter;
    const subscription: Subscription<Target> = {
      target,
      minimumScore: typeof score === 'number' ? score : 0,
      excluded: Array.isArray(excluded) ? new Set(excluded) : NO_FIDS,
      text: typeof text === 'string' ? compilePattern(text, 'text') : undefined,
      embeds: typeof embeds === 'string' ? compilePattern(embeds, 'embeds') : undefined,
    };
    const entries = Object.entries(lists) as [string, Key[]][];
    const keys = entries.flatMap(([name, values]) => {
      const spelled = URL_FILTERS.has(name) ? values.flatMap((url) => [url, ...this.#aliasesOf(String(url))]) : values;
      return spelled.map((key) => [name, key] as const);
    });
    const sets = [
      ...(subscription.text ? [index.texts] : []),
      ...(subscription.embeds ? [index.embeds] : []),
      ...(subscription.minimumScore > 0 ? [index.scored] : []),
      ...(keys.length === 0 && !subscription.text && !subscription.embeds ? [index.all] : []),
    ];
    for (const [name, key] of keys) index.add(name, key, subscription);
    for (const set of sets) set.add(subscription);
    return () => {
      for (const [name, key] of keys) index.remove(name, key, subscription);
      for (const set of sets) set.delete(subscription);
    };
  }

  /**
   * @param facts of the cast that the event is about, as far as `needs` asks for them
   * @returns each target once
   */
  match(event: SocialEvent, facts: CastFacts | undefined): Target[] {
    const index = this.#types.get(event.type) as TypeIndex<Target>;
    const found = new Set(index.all);
    if (index.lists.size > 0) {
      const keys = eventKeys(event, facts);
      for (const [name, values] of index.lists) {
        for (const key of keys[name] ?? []) for (const one of values.get(key) ?? []) found.add(one);
      }
    }
    for (const one of index.texts) if (!found.has(one) && one.text?.test(facts?.text ?? '')) found.add(one);
    if (index.embeds.size > 0) {
      const urls = embeddedUrls(event);
      for (const one of index.embeds) {
        if (!found.has(one) && urls.some((url) => one.embeds?.test(url))) found.add(one);
      }
    }
    const targets = new Set<Target>();
    for (const { target, excluded, minimumScore } of found) {
      if (!excluded.has(event.fid) && (facts?.authorScore ?? 1) >= minimumScore) targets.add(target);
    }
    return [...targets];
  }
}
