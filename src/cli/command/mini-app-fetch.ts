import { defineCommand } from '../terminal/command.js';

export const miniAppFetchCommand = defineCommand({
  name: 'miniapp fetch',
  summary: 'Read the manifest of a domain now, and say what is wrong with it; a valid one is listed',
  examples: [
    ['castellan miniapp fetch miniapp.example', 'read it now; the status is 1 if it is not listed'],
    ["castellan miniapp fetch miniapp.example --json | jq -r '.failure'", 'print only what is wrong'],
  ],
  configure: (command) => command.argument('<domain>', 'the domain, like miniapp.example'),
  input: ({ args }) => ({ domain: String(args[0]).trim().toLowerCase() }),
  run: async ({ config, openDatabase, signal }, { domain }, output) => {
    const [
      { createOutbound },
      { createPageFetch },
      { createDocumentReader },
      { createNetworks },
      { readDomain },
      crawl,
      { createCatalogReader },
      service,
      store,
    ] = await Promise.all([
      import('../../delivery/outbound.js'),
      import('../../crawl/page-fetch.js'),
      import('../../crawl/document-reader.js'),
      import('../../onchain/rpc/networks.js'),
      import('../../miniapp/domain.js'),
      import('../../miniapp/catalog/crawl.js'),
      import('../../miniapp/catalog/reader.js'),
      import('../../miniapp/catalog/service.js'),
      import('../../store/miniapp/catalog-domain.js'),
    ]);
    const outbound = createOutbound({ allowLoopback: config.allowLoopbackTargets });
    // Before anything is stored: a domain that cannot be called is a mistake of the caller.
    const { name } = readDomain(domain, outbound, 'domain');
    const db = await openDatabase();
    const networks = createNetworks({ rpc: config.rpc });
    const reader = createDocumentReader();
    try {
      const clock = Date.now;
      const siteOf = service.catalogSites({
        fetchPage: createPageFetch({ outbound, clock }),
        rule: outbound,
        ownDomains: new Set(),
      });
      const read = createCatalogReader({ db, networks, siteOf, reader, clock });
      await store.insertDomain(db, name, new Date(clock()));
      const fault = await crawl.refreshDomain({ db, read, clock }, name, { signal, isAnew: true });
      if (fault !== undefined) {
        output.result(
          { domain: name, listed: false, name: null, author_fid: null, failure: fault.message },
          fault.message,
        );
        output.note(`${name} is not listed. Correct its manifest, then fetch it again.`);
        return 1;
      }
      const found = await store.selectDomainSummary(db, name);
      const { name: title = null, authorFid = null } = found ?? {};
      output.result(
        { domain: name, listed: true, name: title, author_fid: authorFid, failure: null },
        `${title} of account ${authorFid} is listed.`,
      );
      output.note(`\`castellan miniapp show ${name}\` shows what lists say of it.`);
      return 0;
    } finally {
      networks.stop();
      await reader.close();
    }
  },
});
