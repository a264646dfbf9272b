import type { DocumentReader } from '../../crawl/document-reader.js';
import type { PageFetch } from '../../crawl/page-fetch.js';
import type { Database } from '../../db/database.js';
import type { TargetRule } from '../../delivery/target.js';
import type { Networks } from '../../onchain/network.js';
import { crawlManifests } from './crawl.js';
import { type CatalogSite, createCatalogReader } from './reader.js';

const EVERY_MS = 10 * 60_000;

export interface CatalogServiceOptions {
  readonly db: Database;
  readonly networks: Networks;
  readonly fetchPage: PageFetch;
  readonly reader: DocumentReader;
  /** Which addresses manifests may name. */
  readonly rule: TargetRule;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Whether manifests are read in the background. */
  readonly isCrawling: boolean;
  /** Domains on this machine that this service answers itself: their manifests may name loopback addresses. */
  readonly ownDomains: ReadonlySet<string>;
  /** Time limit of each fetched page; 10 s unless given. */
  readonly timeoutMs?: number;
  readonly failed: (error: unknown, domain: string) => void;
}

/** @returns how each domain is read */
export const catalogSites =
  ({ fetchPage, rule, ownDomains }: Pick<CatalogServiceOptions, 'fetchPage' | 'rule' | 'ownDomains'>) =>
  (domain: string): CatalogSite => ({ fetchPage, rule: ownDomains.has(domain) ? { allowLoopback: true } : rule });

/** Reads the manifests of the catalog. */
export const createCatalogService = (options: CatalogServiceOptions) => {
  const read = createCatalogReader({ ...options, siteOf: catalogSites(options) });
  const crawl = (signal: AbortSignal): Promise<void> => crawlManifests({ ...options, read }, signal);
  return {
    crawl,
    jobs: options.isCrawling ? [{ name: 'read-mini-apps', everyMs: EVERY_MS, run: crawl }] : [],
  };
};
