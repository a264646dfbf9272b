import { expect } from 'vitest';

/** What lists answer with, whatever else. */
interface Paged {
  readonly next?: { readonly cursor: string | null } | null;
  /** Searches keep it in here. */
  readonly result?: Paged;
}

/**
 * Follows a list from its first page to its last.
 *
 * @param ask for the page of a cursor
 * @param keysOf the items of a page, by what tells them apart
 * @returns the keys of all, each of which was seen once
 */
export const walk = async <Page>(
  ask: (cursor: string | undefined) => Promise<Page>,
  keysOf: (page: Page) => readonly (string | number)[],
): Promise<(string | number)[]> => {
  const seen: (string | number)[] = [];
  let cursor: string | undefined;
  for (let pages = 0; ; pages++) {
    expect(pages, 'pages of a list that never ends').toBeLessThan(100);
    const page = await ask(cursor);
    seen.push(...keysOf(page));
    const { next, result } = page as Paged;
    const onward = (next ?? result?.next)?.cursor;
    if (!onward) break;
    cursor = onward;
  }
  expect(seen, 'no item twice').toEqual([...new Set(seen)]);
  return seen;
};

/** The same of hubs, whose lists go on at `pageToken`. */
export const walkHub = <Page>(
  ask: (pageToken: string | undefined) => Promise<Page>,
  keysOf: (page: Page) => readonly (string | number)[],
): Promise<(string | number)[]> =>
  walk(
    async (cursor) => {
      const page = await ask(cursor);
      return { page, next: { cursor: (page as { readonly nextPageToken?: string }).nextPageToken || null } };
    },
    ({ page }) => keysOf(page),
  );

export const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
