import type { CastAddBody } from '@farcaster/core';
import type { Page } from '../hydrate/page.js';
import type { PostCastResponse } from '../schema/social/cast-write.js';
import { castText } from './cast-text.js';
import { parseRendered } from './json.js';
import { viewUsername } from './user-dehydrated.js';
import { viewUserItems } from './user-page.js';

/**
 * @param hash 20 bytes
 * @param body what was published; the accounts that it mentions must be in the page
 * @returns an object and not bytes, because the answer is kept for the case that the request comes again
 */
export const viewPublishedCast = (fid: number, hash: Uint8Array, body: CastAddBody, page: Page): PostCastResponse => {
  const names = body.mentions.map((mentioned, index) => ({
    name: viewUsername(page.accounts.get(mentioned)?.row ?? { username: null, fid: mentioned }),
    position: body.mentionsPositions[index] as number,
  }));
  return {
    success: true,
    cast: {
      hash: `0x${Buffer.from(hash).toString('hex')}`,
      author: { fid },
      text: castText(body.text, names).text,
      mentioned_profiles: viewUserItems(body.mentions, page).map(parseRendered),
    },
  } as PostCastResponse;
};
