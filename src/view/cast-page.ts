import type { Hydration } from '../hydrate/hydrate.js';
import { shownCast, writeCast } from './cast.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';

/** Writes the casts among these hashes that are stored, in this order, with commas between. */
export const writeCasts = (json: JsonWriter, hashes: readonly string[], page: Hydration): void => {
  let some = false;
  for (const hash of hashes) {
    const shown = shownCast(json, hash, page);
    if (shown === undefined) continue;
    if (some) json.text(',');
    some = true;
    writeCast(json, shown, page);
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
