import type { Hydration } from '../hydrate/hydrate.js';
import { writeCast } from './cast.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';

/** Writes the casts among these hashes that are stored, in this order, with commas between. */
export const writeCasts = (json: JsonWriter, hashes: readonly string[], page: Hydration): void => {
  let some = false;
  for (const hash of hashes) {
    const cast = page.casts.get(hash);
    const author = cast === undefined ? undefined : page.accounts.get(cast.content.row.fid);
    // Author and cast are written in one transaction, but read in two queries: the account may be gone since.
    if (cast === undefined || author === undefined) continue;
    if (some) json.text(',');
    some = true;
    writeCast(json, cast, author, page);
  }
};

/** @returns `CastResponse`; the cast must be in the page. */
export const viewCast = (hash: string, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"cast":');
  writeCasts(json, [hash], page);
  json.text('}');
  return new Rendered(json.finish());
};

/** @returns `CastsResponse`, in the order of `hashes`; casts that are not stored are left out. */
export const viewCasts = (hashes: readonly string[], page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"result":{"casts":[');
  writeCasts(json, hashes, page);
  json.text(']}}');
  return new Rendered(json.finish());
};
