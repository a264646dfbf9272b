import type { CastAddBody } from '@farcaster/core';
import type { Hydration } from '../hydrate/hydrate.js';
import type { PostCastResponse } from '../schema/cast-write.js';
import { castText } from './cast-text.js';
import { JsonWriter, releasePage } from './json-writer.js';
import { viewUsername } from './user-dehydrated.js';
import { writeUsers } from './user-page.js';

/**
 * @param hash 20 bytes
 * @param body what was published; the accounts that it mentions must be in the page
 * @returns an object and not bytes, because the answer is kept for the case that the request comes again
 */
export const viewPublishedCast = (
  fid: number,
  hash: Uint8Array,
  body: CastAddBody,
  page: Hydration,
): PostCastResponse => {
  const names = body.mentions.map((mentioned, index) => {
    const account = page.accounts.get(mentioned);
    const name = account === undefined ? `!${mentioned}` : viewUsername(account.profile);
    return { name, position: body.mentionsPositions[index] as number };
  });
  const { text } = castText(body.text, names);
  const hex = `0x${Buffer.from(hash).toString('hex')}`;
  const json = new JsonWriter();
  json.text(`{"success":true,"cast":{"hash":"${hex}","author":{"fid":${fid}},"text":${JSON.stringify(text)}`);
  json.text(',"mentioned_profiles":[');
  writeUsers(json, body.mentions, page);
  json.text(']}}');
  const bytes = json.finish();
  const whole = bytes.toString();
  releasePage(bytes);
  return JSON.parse(whole) as PostCastResponse;
};
