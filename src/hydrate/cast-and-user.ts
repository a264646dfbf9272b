import type { Database } from '../store/database.js';
import type { CastHydrateOptions, Hydrate, Hydration } from './hydrate.js';
import { hydrateViewer } from './viewer.js';

/** What a page shows side by side. */
export interface CastsAndUsers {
  /** 40 hex digits, lower case. */
  readonly hashes: readonly string[];
  readonly fids: readonly number[];
}

const MAPS = ['accounts', 'fidsByUsername', 'casts', 'signerApps', 'channels', 'channelsByUrl'] as const;

const add = <K, V>(into: Map<K, V>, from: ReadonlyMap<K, V>): void => {
  for (const [key, value] of from) into.set(key, value);
};

/**
 * Casts in full and users in full for one page, and how the viewer stands to all of them, asked once for both.
 * A fixed number of queries whatever the page's size, none for what is at hand.
 */
export const hydrateCastsAndUsers = async (
  services: { readonly db: Database; readonly hydrate: Hydrate },
  { hashes, fids }: CastsAndUsers,
  { viewer, ...options }: CastHydrateOptions,
): Promise<Hydration> => {
  const { db, hydrate } = services;
  const [page, people] = await Promise.all([hydrate.casts(hashes, options), hydrate.users(fids, options)]);
  for (const name of MAPS) add(page[name] as Map<unknown, unknown>, people[name]);
  if (viewer !== undefined) {
    const shown = hashes.flatMap((hash) => page.casts.get(hash)?.content.row ?? []);
    page.viewer = await hydrateViewer(db, viewer, [...page.accounts.keys()], shown);
  }
  return page;
};
