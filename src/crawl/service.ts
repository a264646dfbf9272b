import type { OutboundClient } from '../delivery/outbound.js';
import { MINUTE_MS } from '../duration.js';
import { crawlEmbeds, deleteUnusedMetadata } from './crawl-job.js';
import { type CrawlDependencies, createCrawler } from './crawler.js';
import { createDocumentReader } from './document-reader.js';
import { createPageFetch } from './page-fetch.js';

/** What reads pages with untrusted addresses, and the jobs that do so in the background. */
export const createCrawlService = (
  parts: Omit<CrawlDependencies, 'fetchPage' | 'reader'> & {
    readonly outbound: OutboundClient;
    /** Hosts with ports on this machine under which this service answers itself. */
    readonly ownHosts: ReadonlySet<string>;
    /** Whether embedded pages are fetched in the background. */
    readonly isCrawling: boolean;
  },
) => {
  const fetchPage = createPageFetch(parts);
  const reader = createDocumentReader();
  const crawler = createCrawler({ ...parts, fetchPage, reader });
  const follow = crawlEmbeds({ ...parts, crawler });
  const crawlNow = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await follow(signal)));
  };
  const remove = {
    name: 'forget-url-metadata',
    everyMs: 60 * MINUTE_MS,
    isUpkeep: true,
    run: () => deleteUnusedMetadata(parts.db, parts.clock()),
  };
  const crawl = { name: 'crawl-embeds', everyMs: 2_000, quietMs: MINUTE_MS, run: follow };
  const jobs = parts.isCrawling ? [crawl, remove] : [remove];
  return { crawler, fetchPage, reader, close: reader.close, crawlNow, jobs };
};
