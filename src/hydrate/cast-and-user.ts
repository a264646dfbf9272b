import type { CastHydrateOptions, Hydrate, Hydration } from './hydrate.js';

/** What a page shows side by side. */
export interface CastsAndUsers {
  /** 40 hex digits, lower case. */
  readonly hashes: readonly string[];
  readonly fids: readonly number[];
}

/**
 * Casts in full and users in full for one page, and how the viewer stands to all of them, asked once for both.
 * A fixed number of queries whatever the page's size, none for what is at hand.
 */
export const hydrateCastsAndUsers = (
  { hydrate }: { readonly hydrate: Hydrate },
  { hashes, fids }: CastsAndUsers,
  options: Omit<CastHydrateOptions, 'users'>,
): Promise<Hydration> => hydrate.casts(hashes, { ...options, users: fids });
