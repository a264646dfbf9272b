import type { Hydration } from '../hydrate/hydrate.js';
import { castName, shownCast, writeCast } from './cast.js';
import { requireWritten, writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';

/** Writes the casts among these hashes that are stored, in this order, with commas between. @returns how many */
export const writeCasts = (json: JsonWriter, hashes: readonly string[], page: Hydration): number =>
  writeItems(json, hashes, page, castName, (hash) => {
    const shown = shownCast(json, hash, page);
    if (shown === undefined) return false;
    writeCast(json, shown, page);
    return true;
  });

/** @returns `CastResponse`. @throws Error when the cast is not in the page, or cannot be rendered */
export const viewCast = (hash: string, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"cast":');
  requireWritten(writeCasts(json, [hash], page), castName(hash));
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
