import { Compile } from 'typebox/compile';
import { readHtmlHead } from '../../crawl/html-head.js';
import type { TargetRule } from '../../delivery/target.js';
import { MiniAppEmbed } from '../../schema/miniapp/manifest.js';
import { CatalogFault } from './fault.js';
import { readPublicUrl } from './public-url.js';

const embed = Compile(MiniAppEmbed);

/** The picture of a mini app, and the version of the embed that names it. */
export interface HomePageEmbed {
  readonly imageUrl: string;
  readonly version: string;
}

const parse = (text: string, rule: TargetRule): HomePageEmbed | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (!embed.Check(value)) return undefined;
    return { imageUrl: readPublicUrl(value.imageUrl, 'imageUrl', rule), version: String(value.version) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CatalogFault) return undefined;
    throw error;
  }
};

/**
 * Reads the embed of a home page (Mini App specification, "fc:miniapp"; `fc:frame` is its former name).
 * @returns undefined for a page without a valid one
 */
export const readHomePage = (html: string, rule: TargetRule): HomePageEmbed | undefined => {
  const { meta } = readHtmlHead(html);
  for (const name of ['fc:miniapp', 'fc:frame']) {
    const text = meta.get(name);
    const found = text === undefined ? undefined : parse(text, rule);
    if (found !== undefined) return found;
  }
  return undefined;
};
