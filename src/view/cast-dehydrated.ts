import type { Assembly } from '../hydrate/assembly.js';
import type { CastContent } from '../hydrate/cast.js';
import type { Entities } from '../hydrate/entities.js';
import { viewHash } from './cast-content.js';
import type { JsonWriter } from './json-writer.js';
import { renderUserDehydrated } from './user-dehydrated.js';

const NO_APP = Buffer.from(',"app":null}');
const END = Buffer.from('}');

/** Writes `CastDehydrated`: a cast as little more than its author and its app, who must be in the page. */
export const writeCastDehydrated = (
  json: JsonWriter,
  { row }: CastContent,
  { appFid }: Assembly,
  page: Entities,
): void => {
  json.text(`{"object":"cast_dehydrated","hash":"${viewHash(row.hash)}","author":`);
  json.bytes(renderUserDehydrated(row.fid, page.accounts.get(row.fid)));
  if (appFid === undefined) {
    json.bytes(NO_APP);
    return;
  }
  json.text(',"app":');
  json.bytes(renderUserDehydrated(appFid, page.accounts.get(appFid)));
  json.bytes(END);
};
