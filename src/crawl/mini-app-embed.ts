import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { MiniAppEmbed } from '../schema/miniapp/manifest.js';

const embed = Compile(MiniAppEmbed);

const parse = (text: string): Static<typeof MiniAppEmbed> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return embed.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads what a page says about the mini app that it is part of (Mini App specification, "Mini App Embed").
 * @param meta contents of the page's meta tags by name
 * @returns the valid embeds: that of `fc:miniapp`, then that of `fc:frame`, its former name
 */
export const readMiniAppEmbeds = (meta: ReadonlyMap<string, string>): Static<typeof MiniAppEmbed>[] =>
  ['fc:miniapp', 'fc:frame'].flatMap((name) => {
    const text = meta.get(name);
    return (text === undefined ? undefined : parse(text)) ?? [];
  });
