import type { TargetRule } from '../../delivery/target.js';
import { ManifestError } from '../manifest-error.js';
import { readPublicUrl } from './public-url.js';

/** The picture of a mini app, and the version of the embed that names it. */
export interface HomePageEmbed {
  readonly imageUrl: string;
  readonly version: string;
}

/** @returns the first embed of a page whose picture may be loaded; undefined without one */
export const publicEmbed = (embeds: readonly HomePageEmbed[], rule: TargetRule): HomePageEmbed | undefined => {
  for (const { imageUrl, version } of embeds) {
    try {
      return { imageUrl: readPublicUrl(imageUrl, 'imageUrl', rule), version };
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
    }
  }
  return undefined;
};
