import type { CastAddBody } from '@farcaster/core';
import { toHex } from '../hex.js';
import type { Page } from '../hydrate/page.js';
import { displayedUsername } from '../hydrate/user.js';
import { castText } from '../protocol/cast-text.js';
import type { PostCastResponse } from '../schema/social/cast-write.js';
import { parseRendered } from './json.js';
import { viewUserItems } from './user-page.js';

/**
 * @param hash 20 bytes
 * @param body the published cast; the accounts that it mentions must be in the page
 * @returns an object instead of bytes, because the response is stored for repeated requests
 */
export const viewPublishedCast = (fid: number, hash: Uint8Array, body: CastAddBody, page: Page): PostCastResponse => {
  const names = body.mentions.map((mentioned, index) => ({
    name: displayedUsername(page.accounts.get(mentioned)?.row ?? { username: null, fid: mentioned }),
    position: body.mentionsPositions[index] as number,
  }));
  return {
    success: true,
    cast: {
      hash: toHex(hash),
      author: { fid },
      text: castText(body.text, names).text,
      mentioned_profiles: viewUserItems(body.mentions, page).map(parseRendered),
    },
  } as PostCastResponse;
};
