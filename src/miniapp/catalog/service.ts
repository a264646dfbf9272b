import { createPageFetch } from '../../crawl/page-fetch.js';
import type { Database } from '../../db/database.js';
import { createOutbound, type OutboundClient } from '../../delivery/outbound.js';
import type { Networks } from '../../onchain/network.js';
import { crawlManifests } from './crawl.js';
import { type CatalogSite, createCatalogReader } from './reader.js';

const EVERY_MS = 10 * 60_000;

export interface CatalogServiceOptions {
  readonly db: Database;
  readonly networks: Networks;
  readonly outbound: OutboundClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Whether manifests are read in the background. */
  readonly isCrawling: boolean;
  /** Domains on this machine that this service answers itself, which are read whatever `outbound` allows. */
  readonly ownDomains: ReadonlySet<string>;
  /** Time limit of each fetched page; 10 s unless given. */
  readonly timeoutMs?: number;
  readonly failed: (error: unknown, domain: string) => void;
}

/** @returns which domains are fetched through which client */
export const catalogSites = ({
  outbound,
  clock,
  ownDomains,
}: Pick<CatalogServiceOptions, 'outbound' | 'clock' | 'ownDomains'>): ((domain: string) => CatalogSite) => {
  const siteOf = (client: OutboundClient): CatalogSite => ({
    fetchPage: createPageFetch({ outbound: client, clock }),
    rule: client,
  });
  const usual = siteOf(outbound);
  const own = ownDomains.size === 0 ? usual : siteOf(createOutbound({ allowLoopback: true }));
  return (domain) => (ownDomains.has(domain) ? own : usual);
};

/** The reading of manifests for the catalog. */
export const createCatalogService = (options: CatalogServiceOptions) => {
  const read = createCatalogReader({ ...options, siteOf: catalogSites(options) });
  const crawl = (signal: AbortSignal): Promise<void> => crawlManifests({ ...options, read }, signal);
  return {
    crawl,
    jobs: options.isCrawling ? [{ name: 'read-mini-apps', everyMs: EVERY_MS, run: crawl }] : [],
  };
};
