import type { Database } from '../db/database.js';
import type { OutboundClient } from '../delivery/outbound.js';
import type { Invalidation } from '../store/change.js';
import { crawlEmbeds, deleteUnusedMetadata } from './crawl-job.js';
import { createCrawler } from './crawler.js';
import { createPageFetch } from './page-fetch.js';

const MINUTE_MS = 60_000;

/** What reads pages with untrusted addresses, and the jobs that do so in the background. */
export const createCrawlService = (parts: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  /** Hosts with ports on this machine under which this service answers itself. */
  readonly ownHosts: ReadonlySet<string>;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Invalidates the caches of this process. */
  readonly changed: (invalidation: Invalidation) => void;
  /** Whether embedded pages are fetched in the background. */
  readonly isCrawling: boolean;
  readonly report: (what: string, error: unknown) => void;
}) => {
  const fetchPage = createPageFetch(parts);
  const crawler = createCrawler({ ...parts, fetchPage });
  const follow = crawlEmbeds({ ...parts, crawler });
  const remove = {
    name: 'forget-url-metadata',
    everyMs: 60 * MINUTE_MS,
    run: () => deleteUnusedMetadata(parts.db, parts.clock()),
  };
  const crawl = { name: 'crawl-embeds', everyMs: 2_000, run: follow };
  return { crawler, fetchPage, jobs: parts.isCrawling ? [crawl, remove] : [remove] };
};
