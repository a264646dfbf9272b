import type { Page } from '../hydrate/page.js';
import { viewItems } from './items.js';
import { quote, quoteOrNull, toBytes, viewNext } from './json.js';
import { viewUserDehydrated } from './user-dehydrated.js';

interface Topic {
  readonly name: string;
  readonly slug: string;
  readonly topLevelTopic: string;
  readonly summary: string | null;
  /** fids */
  readonly authors: readonly number[];
}

/** @returns `TrendingTopicsResponse`. @param cursor of the next page; null on the last one */
export const viewTrendingTopics = (topics: readonly Topic[], page: Page, cursor: string | null): Buffer => {
  const items = viewItems(
    topics,
    page,
    ({ slug }) => `topic ${slug}`,
    ({ name, slug, topLevelTopic: label, summary, authors }) =>
      `{"name":${quote(name)},"slug":${quote(slug)},"top_level_topic":"${label}","summary":${quoteOrNull(summary)},` +
      `"authors":[${authors.map((fid) => viewUserDehydrated(fid, page)).join()}]}`,
  );
  return toBytes(`{${viewNext(cursor)},"topics":[`, items, ']}');
};
