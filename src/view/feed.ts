import type { Hydration } from '../hydrate/hydrate.js';
import { writeCasts } from './cast-page.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';

/** A page of casts before it is written. */
export interface CastPage {
  /** Hex without 0x, in order; casts that are not stored are left out. */
  readonly hashes: readonly string[];
  /** Cursor of the next page; null: the list ends here. */
  readonly next: string | null;
}

const writePage = (json: JsonWriter, { hashes, next }: CastPage, page: Hydration): void => {
  json.text('{"casts":[');
  writeCasts(json, hashes, page);
  json.text(`],"next":{"cursor":${JSON.stringify(next)}}}`);
};

/** @returns `FeedResponse`, which `CastQuotesResponse` is too. */
export const viewFeed = (casts: CastPage, page: Hydration): Rendered => {
  const json = new JsonWriter();
  writePage(json, casts, page);
  return new Rendered(json.finish());
};

/** @returns `CastsSearchResponse`. */
export const viewCastSearch = (casts: CastPage, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"result":');
  writePage(json, casts, page);
  json.text('}');
  return new Rendered(json.finish());
};

/** @returns `BulkCastsResponse`. */
export const viewBulkCasts = (hashes: readonly string[], page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"casts":[');
  writeCasts(json, hashes, page);
  json.text(']}');
  return new Rendered(json.finish());
};
