import type { FrameV1, FrameV2 } from '../schema/social/frame.js';
import { readMiniAppEmbeds } from './mini-app-embed.js';
import { plainText, webAddress } from './untrusted-text.js';

/** Buttons of the first version of frames. */
const MAX_BUTTONS = 4;
const ACTIONS = ['post', 'post_redirect', 'tx', 'link', 'mint'] as const;

/** @returns where a button leads: an address, or for `mint` a token (`eip155:8453:0x...`), which is not relative */
const targetOf = (action: string, target: string | undefined, page: URL): string | undefined =>
  action === 'mint' ? plainText(target) || undefined : webAddress(target, page);

/** Reads the tags of the first version of frames (`fc:frame` with the content `vNext`). */
const readVNext = (meta: ReadonlyMap<string, string>, page: URL): FrameV1 | undefined => {
  const image = webAddress(meta.get('fc:frame:image') ?? meta.get('og:image'), page);
  if (image === undefined) return undefined;
  const buttons = Array.from({ length: MAX_BUTTONS }, (_, index) => index + 1).flatMap((index) => {
    const title = plainText(meta.get(`fc:frame:button:${index}`));
    if (title === '') return [];
    const written = meta.get(`fc:frame:button:${index}:action`);
    const action = ACTIONS.find((one) => one === written) ?? 'post';
    const target = targetOf(action, meta.get(`fc:frame:button:${index}:target`), page);
    const postUrl = webAddress(meta.get(`fc:frame:button:${index}:post_url`), page);
    return [
      {
        index,
        title,
        action_type: action,
        ...(target !== undefined && { target }),
        ...(postUrl !== undefined && { post_url: postUrl }),
      },
    ];
  });
  const postUrl = webAddress(meta.get('fc:frame:post_url'), page);
  const ratio = plainText(meta.get('fc:frame:image:aspect_ratio'));
  const input = plainText(meta.get('fc:frame:input:text'));
  const title = plainText(meta.get('og:title'));
  return {
    version: 'vNext',
    image,
    frames_url: page.href,
    buttons,
    ...(title !== '' && { title }),
    ...(ratio !== '' && { image_aspect_ratio: ratio }),
    ...(input !== '' && { input: { text: input } }),
    ...(postUrl !== undefined && { post_url: postUrl }),
  };
};

/**
 * @param meta contents of the page's meta tags by name
 * @param page address of the page
 * @returns the mini app that the page offers as an embed, or the frame of the first version; undefined: none
 */
export const readFrame = (meta: ReadonlyMap<string, string>, page: URL): FrameV1 | FrameV2 | undefined => {
  if (meta.get('fc:frame') === 'vNext') return readVNext(meta, page);
  for (const { version, imageUrl, button } of readMiniAppEmbeds(meta)) {
    const image = webAddress(imageUrl, page);
    const title = plainText(button.title);
    if (image !== undefined) {
      return { version: String(version), image, frames_url: page.href, ...(title !== '' && { title }) };
    }
  }
  return undefined;
};
