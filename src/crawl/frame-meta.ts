import type { FrameV1, FrameV2 } from '../schema/social/frame.js';
import { plainText, webAddress } from './stranger-text.js';

/** Buttons of the first version of frames. */
const MAX_BUTTONS = 4;
const ACTIONS = ['post', 'post_redirect', 'tx', 'link', 'mint'] as const;
const MAX_JSON = 4096;

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = text.length <= MAX_JSON ? JSON.parse(text) : undefined;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** Reads the `fc:miniapp` meta tag (Mini App specification, "Mini App Embed"). */
const readMiniApp = (content: string, page: URL): FrameV2 | undefined => {
  const embed = parseObject(content);
  const image = webAddress(embed?.imageUrl, page);
  const version = plainText(embed?.version);
  if (embed === undefined || image === undefined || (version !== '1' && version !== 'next')) return undefined;
  const title = plainText((embed.button as Record<string, unknown> | null | undefined)?.title);
  return { version, image, frames_url: page.href, ...(title !== '' && { title }) };
};

/** Reads the tags of the first version of frames (`fc:frame` with the content `vNext`). */
const readVNext = (meta: ReadonlyMap<string, string>, page: URL): FrameV1 | undefined => {
  const image = webAddress(meta.get('fc:frame:image') ?? meta.get('og:image'), page);
  if (image === undefined) return undefined;
  const buttons = Array.from({ length: MAX_BUTTONS }, (_, index) => index + 1).flatMap((index) => {
    const title = plainText(meta.get(`fc:frame:button:${index}`));
    if (title === '') return [];
    const action = meta.get(`fc:frame:button:${index}:action`);
    const target = plainText(meta.get(`fc:frame:button:${index}:target`));
    const postUrl = webAddress(meta.get(`fc:frame:button:${index}:post_url`), page);
    return [
      {
        index,
        title,
        action_type: ACTIONS.find((one) => one === action) ?? 'post',
        ...(target !== '' && { target }),
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
  const legacy = meta.get('fc:frame');
  if (legacy === 'vNext') return readVNext(meta, page);
  const found = [meta.get('fc:miniapp'), legacy].map((content) =>
    content === undefined ? undefined : readMiniApp(content, page),
  );
  return found.find((frame) => frame !== undefined);
};
