import type { Page } from '../hydrate/page.js';
import { viewItems } from './items.js';
import { quote, toBytes, toUtf8, viewNext } from './json.js';
import { viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** A mini app of the catalog. */
export interface Frame {
  readonly domain: string;
  readonly authorFid: number;
  readonly name: string;
  readonly homeUrl: string;
  readonly imageUrl: string;
  readonly version: string;
  /** JSON of `SocialManifest`. */
  readonly manifest: string;
}

/** A mini app, and the accounts that cast it, the closest first. */
export interface RelevantFrame {
  readonly frame: Frame;
  /** Shown in full. */
  readonly top: readonly number[];
  /** Shown by name and picture. */
  readonly others: readonly number[];
}

/** @returns `FrameV2WithFullAuthor`; an author that is not stored is left out */
const viewFrame = (frame: Frame, page: Page): string => {
  const author = viewUserOf(frame.authorFid, page);
  return (
    `{"version":${quote(frame.version)},"image":${quote(frame.imageUrl)},"frames_url":${quote(frame.homeUrl)},` +
    `"title":${quote(frame.name)},"manifest":${toUtf8(frame.manifest)}${author === undefined ? '' : `,"author":${author}`}}`
  );
};

/** @returns `FrameCatalogResponse` */
export const viewFrames = (frames: readonly Frame[], page: Page, cursor: string | null): Buffer => {
  const items = viewItems(
    frames,
    page,
    ({ domain }) => `mini app ${domain}`,
    (frame) => viewFrame(frame, page),
  );
  return toBytes('{"frames":[', items, `],${viewNext(cursor)}}`);
};

/** @returns `RelevantFramesResponse` */
export const viewRelevantFrames = (found: readonly RelevantFrame[], page: Page): Buffer => {
  const items = viewItems(
    found,
    page,
    ({ frame }) => `mini app ${frame.domain}`,
    ({ frame, top, others }) => {
      const full = top.flatMap((fid) => viewUserOf(fid, page) ?? []);
      const rest = others.map((fid) => viewUserDehydrated(fid, page));
      return `{"frame":${viewFrame(frame, page)},"top_relevant_users":[${full.join()}],"remaining_relevant_users":[${rest.join()}]}`;
    },
  );
  return toBytes('{"relevant_frames":[', items, ']}');
};
