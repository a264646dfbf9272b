import type { SampleMiniApps } from './api/http/service.js';
import type { Config } from './config/config.js';
import { createCrawlService } from './crawl/service.js';
import type { OutboundClient } from './delivery/outbound.js';
import type { Log } from './log.js';
import { createCatalogService } from './miniapp/catalog/service.js';
import type { Networks } from './onchain/network.js';
import type { InvalidatingWriter } from './store/invalidating-transaction.js';

/** Link previews and the catalog of mini apps, which share one rate limit for hosts. */
export const createCrawlServices = (
  { isCrawling, publicUrl }: Pick<Config, 'isCrawling' | 'publicUrl'>,
  parts: InvalidatingWriter & {
    readonly outbound: OutboundClient;
    readonly networks: Networks;
    /** Unix milliseconds. */
    readonly clock: () => number;
    readonly log: Log;
    /** Set when this service serves the files of the sample network. */
    readonly servesSample: boolean;
    readonly sampleMiniApps: SampleMiniApps | undefined;
  },
) => {
  const { outbound, log } = parts;
  const ownDomains: ReadonlySet<string> = parts.sampleMiniApps?.domains ?? new Set();
  const crawl = createCrawlService({
    ...parts,
    ownHosts: new Set(parts.servesSample ? [...ownDomains, new URL(publicUrl).host] : []),
    isCrawling,
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
    jobs: [...crawl.jobs, ...catalog.jobs],
    close: crawl.close,
  };
};
