import type { Reader } from '../db/statement.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { selectChannelSpellings } from '../store/event/channel-spelling.js';

/** Addresses of a channel's page: today's, and the one before 2025 (docs of the Farcaster protocol, "Channels"). */
const PAGES = ['https://farcaster.xyz/~/channel/', 'https://warpcast.com/~/channel/'] as const;

const NONE: readonly string[] = [];

const channelIdOf = (url: string): string[] =>
  PAGES.flatMap((page) => (url.startsWith(page) ? [url.slice(page.length)] : []));

const urlsOf = (filters: WebhookSubscriptionFilters): string[] =>
  [filters['cast.created'], filters['cast.deleted']].flatMap((cast) => [
    ...(cast?.parent_urls ?? []),
    ...(cast?.root_parent_urls ?? []),
  ]);

/** The spellings of one channel's URL: casts of a channel carry the one that their client knew. */
export class ChannelAliases {
  readonly #aliases = new Map<string, readonly string[]>();

  /** Loads the channels that filters name. */
  async load(db: Reader, filters: readonly WebhookSubscriptionFilters[]): Promise<void> {
    const urls = filters.flatMap(urlsOf);
    if (urls.length === 0) return;
    for (const { id, parentUrl, url } of await selectChannelSpellings(db, urls, urls.flatMap(channelIdOf))) {
      const spellings = [...new Set([parentUrl, url, ...PAGES.map((page) => page + id)])];
      for (const spelling of spellings) this.#aliases.set(spelling, spellings);
    }
  }

  /** @returns all spellings of the channel with this URL; none if no loaded channel has it */
  readonly of = (url: string): readonly string[] => this.#aliases.get(url) ?? NONE;
}
