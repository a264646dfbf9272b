import type { Reader } from '../db/statement.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { selectSpellings } from '../store/channel/spelling.js';

const NONE: readonly string[] = [];

const urlsOf = (filters: WebhookSubscriptionFilters): string[] =>
  [filters['cast.created'], filters['cast.deleted']].flatMap((cast) => [
    ...(cast?.parent_urls ?? []),
    ...(cast?.root_parent_urls ?? []),
  ]);

/** The spellings of one channel's URL: casts of a channel carry the one that their client knew. */
export class ChannelAliases {
  #aliases: ReadonlyMap<string, readonly string[]> = new Map();

  /** Loads the channels that filters name. */
  async load(db: Reader, filters: readonly WebhookSubscriptionFilters[]): Promise<void> {
    const loaded = await selectSpellings(db, filters.flatMap(urlsOf));
    if (loaded.size > 0) this.#aliases = new Map([...this.#aliases, ...loaded]);
  }

  /** @returns all spellings of the channel with this URL; none if no loaded channel has it */
  readonly of = (url: string): readonly string[] => this.#aliases.get(url) ?? NONE;
}
