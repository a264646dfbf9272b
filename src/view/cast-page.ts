import type { Page } from '../hydrate/page.js';
import { castName, viewCast } from './cast.js';
import { requireItem, viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';

/** @returns the casts among these hashes that are stored, in this order. */
export const viewCastItems = (hashes: readonly string[], page: Page): string[] =>
  viewItems(hashes, page, castName, (hash) => viewCast(hash, page));

/** @returns `CastResponse`. @throws Error when the cast is not in the page, or cannot be rendered */
export const viewCastResponse = (hash: string, page: Page): Buffer =>
  toBytes('{"cast":', [requireItem(viewCastItems([hash], page), castName(hash))], '}');

/** @returns `CastsResponse`, in the order of `hashes`; casts that are not stored are left out. */
export const viewCasts = (hashes: readonly string[], page: Page): Buffer =>
  toBytes('{"result":{"casts":[', viewCastItems(hashes, page), ']}}');

/** @returns `BulkCastsResponse`. */
export const viewBulkCasts = (hashes: readonly string[], page: Page): Buffer =>
  toBytes('{"casts":[', viewCastItems(hashes, page), ']}');

/** A page of a list of casts before rendering. */
export interface CastList {
  /** Hex without 0x, in order; casts that are not stored are left out. */
  readonly hashes: readonly string[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/** @returns `FeedResponse`, which `CastQuotesResponse` is too. */
export const viewFeed = ({ hashes, next }: CastList, page: Page): Buffer =>
  toBytes('{"casts":[', viewCastItems(hashes, page), `],${viewNext(next)}}`);

/** @returns `CastsSearchResponse`. */
export const viewCastSearch = ({ hashes, next }: CastList, page: Page): Buffer =>
  toBytes('{"result":{"casts":[', viewCastItems(hashes, page), `],${viewNext(next)}}}`);
