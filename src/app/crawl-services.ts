import type { Config } from '../config/config.js';
import { createCrawlService } from '../crawl/service.js';
import { createCatalogService } from '../miniapp/catalog/service.js';
import type { Networks } from '../onchain/network.js';
import type { AppOptions } from './app-options.js';
import type { Base } from './base.js';

/** Link previews and the catalog of mini apps, which share one rate limit for hosts. */
export const createCrawlServices = (
  { isCrawling, publicUrl }: Pick<Config, 'isCrawling' | 'publicUrl'>,
  base: Base,
  {
    networks,
    sampleFiles,
    sampleMiniApps,
  }: Pick<AppOptions, 'sampleFiles' | 'sampleMiniApps'> & { readonly networks: Networks },
) => {
  const { outbound, log, metrics } = base;
  const parts = { ...base, networks };
  const ownDomains: ReadonlySet<string> = sampleMiniApps?.domains ?? new Set();
  const crawl = createCrawlService({
    ...parts,
    ownHosts: new Set(sampleFiles ? [...ownDomains, new URL(publicUrl).host] : []),
    isCrawling,
    observe: (outcome, seconds) => metrics.crawlSeconds.observe({ outcome }, seconds),
    report: (what, err) => log.error({ err }, `${what} cannot be read; it is left out`),
  });
  const catalog = createCatalogService({
    ...parts,
    fetchPage: crawl.fetchPage,
    reader: crawl.reader,
    rule: outbound,
    isCrawling,
    ownDomains,
    failed: (error, domain) => log.error({ err: error, domain }, 'a manifest could not be read; it is tried again'),
  });
  return {
    crawler: crawl.crawler,
    readMiniApps: catalog.crawl,
    readEmbeds: crawl.crawlNow,
    jobs: [...crawl.jobs, ...catalog.jobs],
    close: crawl.close,
  };
};
