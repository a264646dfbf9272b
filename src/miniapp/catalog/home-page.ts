import { readHtmlHead } from '../../crawl/html-head.js';
import { readMiniAppEmbeds } from '../../crawl/mini-app-embed.js';
import type { TargetRule } from '../../delivery/target.js';
import { CatalogFault } from './fault.js';
import { readPublicUrl } from './public-url.js';

/** The picture of a mini app, and the version of the embed that names it. */
export interface HomePageEmbed {
  readonly imageUrl: string;
  readonly version: string;
}

/** @returns undefined for a page without a valid embed whose picture may be loaded */
export const readHomePage = (html: string, rule: TargetRule): HomePageEmbed | undefined => {
  for (const { imageUrl, version } of readMiniAppEmbeds(readHtmlHead(html).meta)) {
    try {
      return { imageUrl: readPublicUrl(imageUrl, 'imageUrl', rule), version: String(version) };
    } catch (error) {
      if (!(error instanceof CatalogFault)) throw error;
    }
  }
  return undefined;
};
