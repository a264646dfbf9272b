import { ensureDefaultAccess } from './access/key.js';
import { createAccountServices } from './account-services.js';
import { notifyUrls } from './api/app-host/notify-url.js';
import { createAuthenticator } from './api/http/auth.js';
import { RESPONSE_TIMEOUTS } from './api/http/response-timeout.js';
import type { Services } from './api/http/service.js';
import { createMetricsServer } from './api/metrics-server.js';
import { buildServer, type Server } from './api/server.js';
import type { AppOptions, AppPorts } from './app-options.js';
import { billingJobs } from './billing/billing-job.js';
import { createBillingService } from './billing/billing-service.js';
import { recoverChanges } from './billing/plan/change-recovery.js';
import { readPlans } from './billing/plan/plan.js';
import { renewIfDue } from './billing/plan/renewal.js';
import { requireSubscribedPlans } from './billing/plan/subscribed-plan.js';
import { noopMeter } from './billing/usage/meter.js';
import { createMeter } from './billing/usage/unit-meter.js';
import { createFreshness } from './cache/freshness.js';
import { createReads } from './cache/read-cache.js';
import { type SiblingBroadcast, Siblings } from './cache/sibling.js';
import { createChainClaimReader } from './chain-claim-reader.js';
import { type ChainServices, createChainServices } from './chain-services.js';
import { createChannelService } from './channel/client/service.js';
import type { Config } from './config/config.js';
import { createCrawlServices } from './crawl-services.js';
import { createOutbound } from './delivery/outbound.js';
import { Streams } from './event/stream/streams.js';
import { createDispatcher } from './event/webhook/dispatcher.js';
import { createEventSender } from './event/webhook/sender.js';
import { createEventMetrics } from './event-metric.js';
import { connectHub } from './hub-services.js';
import { createImageGenerator } from './image/generator.js';
import { readStoredChannels } from './ingest/channel/stored-message-job.js';
import { createValidator } from './ingest/pipeline/validate.js';
import { jobList } from './job/job-list.js';
import { createSchedule } from './job/schedule.js';
import { createMetrics, deliveryMeter, observeBatch } from './metric.js';
import { createMiniAppService } from './miniapp/service.js';
import { createModel } from './model/client.js';
import { createConversationSummaries } from './model/conversation-summary.js';
import { readKnownTokens } from './onchain/token/service.js';
import { createWallets } from './onchain/transaction/wallet.js';
import { openAdmission } from './open-admission.js';
import { openRateLimiter } from './open-rate-limiter.js';
import { DatabaseWatch, isBehind, readinessChecks } from './readiness.js';
import { openCore, requireSeals, type ServiceCore } from './service-core.js';
import { createSigners } from './signer/signers.js';
import type { Invalidation } from './store/change.js';
import { selectEventBacklog } from './store/event/backlog.js';
import { createWriteAndInvalidate } from './store/invalidating-transaction.js';
import { selectRefusedItemCount } from './store/protocol/refused-item.js';
import { createTopicJob } from './topic/topic-job.js';
import { announceNewTrades } from './trade/announcement.js';
import { VERSION } from './version.js';
import { createWriter } from './write/writer.js';

/** How often each process polls for changes by other processes. */
const FRESHNESS_POLL_MS = 250;

export interface App {
  readonly core: ServiceCore;
  readonly services: Services;
  /** Invalidates caches of this process after a write outside of ingest. */
  readonly invalidate: (invalidation: Invalidation) => void;
  /** Reads the manifests that are due now instead of at the next turn of the job. */
  readonly readMiniApps: (signal: AbortSignal) => Promise<void>;
  /** Searches the events of subscription contracts now, on all networks or on one. */
  readonly indexStp: ChainServices['indexStp'];
  /** Runs one round of the search for trades now. No other may be under way. */
  readonly searchTrades: (signal: AbortSignal) => Promise<void>;
  /** Writes the deliveries of new trades now. No other round may be under way. */
  readonly announceTrades: () => Promise<void>;
  /**
   * Starts to listen, and to do what its roles are.
   * @throws if a port is in use
   */
  start(): Promise<AppPorts>;
  /** Completes requests in progress, commits submitted items, closes everything. */
  stop(): Promise<void>;
}

/**
 * Builds the whole service from its configuration and migrates the database; it listens only after `start`. The caller
 * must have locked the embedded database.
 */
export const createApp = async (
  config: Config,
  {
    log,
    validateResponses = false,
    clock = Date.now,
    database,
    localChain,
    localTokens,
    readiness = [],
    sampleFiles,
    sampleMiniApps,
    siblings: link,
    stripeAddress,
    timings = {},
    ...more
  }: AppOptions,
) => {
  const known = readKnownTokens(config.tokens, localTokens);
  const plans = readPlans(config.billing);
  let freshness: ReturnType<typeof createFreshness> | undefined;
  const metrics = createMetrics(
    () => core.db.load(),
    () => selectRefusedItemCount(core.db),
  );
  const eventMetrics = createEventMetrics(metrics.registry, {
    backlog: () => selectEventBacklog(core.db),
    streams: () => streams.size,
    clock,
  });
  const core = await openCore(config, log, {
    database,
    onCommit: (invalidation) => freshness?.invalidate(invalidation),
    onBatch: (batch) => observeBatch(metrics, batch),
    chains: createChainClaimReader(() => networks),
  });
  const { db } = core;
  const model = config.model && createModel(config.model);
  await requireSeals(core, config.masterKey);
  await requireSubscribedPlans(db, plans).catch(async (error: unknown) => {
    await core.close();
    throw error;
  });
  const { roles } = config.processes;
  const hub = connectHub(config, { core, metrics, log });
  // Clients do not wait for what a process does that answers none.
  const siblings = new Siblings(roles.has('api') ? link : undefined);
  freshness = createFreshness({ db, pollMs: FRESHNESS_POLL_MS, siblings });
  if (config.allowLoopbackTargets) {
    log.warn(
      'CASTELLAN_ALLOW_LOOPBACK_TARGETS is on: whoever holds a key may make this service call programs on this machine',
    );
  }
  const outbound = createOutbound({ allowLoopback: config.allowLoopbackTargets });
  const chain = createChainServices(config, {
    ...{ db, metrics, log, clock, localChain, knownTokens: known, outbound },
    timings,
  });
  const { networks, tokens, sender } = chain;
  const miniApps = createMiniAppService({
    db,
    outbound,
    networks,
    masterKey: config.masterKey,
    dialect: config.wireNames,
    notifyUrls: notifyUrls(config.publicUrl),
    isAsync: config.isNotificationAsync,
    ...{ pollMs: timings.miniAppMs, retryMs: timings.campaignMs },
    clock,
    meter: deliveryMeter(metrics),
    failed: (error, what) => log.error({ err: error }, `${what}; they are tried again`),
  });
  const eventSender = createEventSender({
    db,
    outbound,
    masterKey: config.masterKey,
    clock,
    meter: deliveryMeter(metrics),
    attemptFailed: (webhook) => eventMetrics.webhookFailures.inc({ webhook }),
    failed: (error) => log.error({ err: error }, 'webhooks could not be called; it is tried again'),
  });
  const warn = (details: object, message: string): void => log.warn(details, message);
  const rateLimiter = await openRateLimiter(config.rateLimit, { db, plans, log, reportMs: timings.rateLimitMs });
  const admission = openAdmission(config, { registry: metrics.registry, log });
  const { payment, quotaMode } = config.billing;
  const money = await createBillingService({
    db,
    plans,
    payment,
    clock,
    returnUrl: config.publicUrl,
    stripeAddress,
    warn,
  });
  const moneyFailed = (error: unknown, of: object): void =>
    log.error({ err: error, ...of }, 'the billing of an organization could not be looked after; it is tried again');
  const meter =
    quotaMode === 'off'
      ? noopMeter
      : createMeter({
          db,
          plans,
          clock,
          flushMs: timings.usageMs,
          enforces: quotaMode === 'enforce',
          renew: (organizationId) => renewIfDue(money, organizationId, new Date(clock())),
          counted: (operation, units) => metrics.computeUnits.inc({ operation }, units),
          failed: (error) => log.error({ err: error }, 'usage could not be written; it is retried'),
          lost: (units) => log.error({ units }, 'compute units were lost: they could not be written'),
        });
  const watch = new DatabaseWatch(db, log, timings.databaseMs);
  const reads = createReads({
    db,
    cacheBytes: config.cacheBytes,
    freshness,
    clock,
    dialect: config.wireNames,
    report: (entity, err) => log.error({ err, entity }, 'an entity that cannot be rendered is left out of its page'),
  });
  const streams = new Streams({
    ...{ db, reads, search: core.searchPatterns, clock },
    failed: (error) => log.error({ err: error }, 'events could not be streamed; it is tried again'),
  });
  const writeAndInvalidate = createWriteAndInvalidate({ db, changed: freshness.invalidate });
  const writer = createWriter({
    db,
    submit: hub.submit,
    isForwarded: hub.isForwarded,
    network: core.network,
    clock,
    timeoutMs: timings.writeMs ?? (() => config.writeTimeoutSeconds * 1000),
    isIndexed: core.filter?.accepts,
    wroteAhead: (latest) => siblings.broadcast({ latest }),
  });
  const learn = ({ invalidation, latest }: SiblingBroadcast): void => {
    if (invalidation) freshness?.applyInvalidation(invalidation);
    if (latest !== undefined) writer.learnLatest(latest);
  };
  // Writes wait only for processes through which their clients read.
  link?.receive(learn, roles.has('api'));
  const changed = freshness.invalidate;
  const channels = createChannelService(config.channels, { db, clock, writeAndInvalidate, changed, log, writer });
  const signers = createSigners({ db, masterKey: config.masterKey, clock });
  const accounts = createAccountServices(config, {
    ...{ db, ingest: core.ingest, networks, clock, sender, signers, writer, log },
    followsLocalChain: localChain !== undefined && !config.hub && !config.rpc.optimism,
  });
  const crawl = createCrawlServices(config, {
    ...{ db, outbound, networks, clock, changed, log, sampleMiniApps },
    servesSample: sampleFiles !== undefined,
  });
  const services: Services = {
    db,
    log,
    metrics,
    clock,
    reads,
    streams,
    writeAndInvalidate,
    channels: channels.dependencies,
    crawler: crawl.crawler,
    signers,
    accounts: accounts.accounts,
    ...(accounts.localNames && { localNames: accounts.localNames }),
    networks,
    responseTimeouts: { ...RESPONSE_TIMEOUTS, ...timings.responses },
    balances: tokens.balances,
    tokenMetadata: tokens.tokenMetadata,
    wallets: createWallets({ db }),
    images: createImageGenerator({ config: config.images, outbound }),
    mediaQuotaBytes: config.mediaQuotaBytes,
    tokenDeployments: config.tokenDeployments,
    x402: chain.x402,
    ...(config.domainAssociation && { domainAssociation: config.domainAssociation }),
    sender,
    stp: chain.stp,
    ...(sampleFiles && { sampleFiles }),
    ...(model && { summaries: createConversationSummaries({ db, model, clock }) }),
    ...(sampleMiniApps && { sampleMiniApps }),
    approvesLocally: config.profile === 'dev' && config.hub === undefined,
    hub: {
      version: VERSION,
      nickname: 'castellan',
      operatorFid: 0,
      network: core.network,
      isSyncing: () => isBehind(hub.state(), config.readyMaxLagSeconds),
      submit: hub.submit,
      validate: createValidator({ db, verify: core.verify, now: clock }),
    },
    writer,
    siblingsUpToDate: () => siblings.delivered(),
    outbound,
    hostOutbox: miniApps.hostOutbox,
    pushOutbox: miniApps.pushOutbox,
    campaigns: miniApps.campaigns,
    webhooks: { db, masterKey: config.masterKey, rule: outbound, clock },
    eventSender,
    searchPatterns: core.searchPatterns,
    authenticator: createAuthenticator({ db, log, clock }),
    rateLimiter,
    admission,
    meter,
    dialect: config.wireNames,
    publicUrl: config.publicUrl,
    plans,
    money,
    ...(money.events && { paymentEvents: money.events }),
    cursorKey: { sign: config.masterKey.derive('cursor'), accept: config.masterKey.deriveAll('cursor') },
    readiness: [
      ...readinessChecks({ database: watch, hub: hub.state, maxLagSeconds: config.readyMaxLagSeconds }),
      ...readiness,
    ],
  };
  const dispatcher = createDispatcher({
    ...{ db, reads, search: core.searchPatterns, freshness, clock },
    written: eventSender.pollNow,
    failed: (error) => log.error({ err: error }, 'events could not be handed to webhooks; they are tried again'),
  });
  const announced = { db, reads, networks, tokenMetadata: tokens.tokenMetadata, clock, written: eventSender.pollNow };
  const announceTrades = () => announceNewTrades(announced);
  const schedule = createSchedule({
    db,
    jobs: [
      ...jobList({
        db,
        clock,
        retention: config.retention,
        changed,
        searchTransfers: tokens.searchTransfers,
        readStoredChannels: (signal) => readStoredChannels({ db, registrar: config.channelRegistrar, changed }, signal),
      }),
      ...billingJobs({ money, clock, failed: moneyFailed }).concat(
        channels.jobs,
        crawl.jobs,
        accounts.jobs,
        chain.jobs,
      ),
      { name: 'search-trades', everyMs: config.trades.everyMs, run: chain.trades.round },
      { name: 'announce-trades', everyMs: config.trades.everyMs, run: announceTrades },
      createTopicJob({ db, clock, model, changed, warn }),
    ],
    failed: (job, error) => log.error({ err: error, job }, 'a job failed; it is tried again after its interval'),
  });
  await ensureDefaultAccess(db, config.apiKey?.reveal(), new Date(clock()));
  const { trustedProxies } = config;
  const common = { validateResponses, maxConnections: config.requests.connections, compresses: config.compresses };
  const servers: Server[] = [buildServer(services, { ...more, ...common, trustedProxies })];
  if (config.hubHttpPort !== undefined && roles.has('api'))
    servers.push(buildServer(services, { ...common, families: ['hub'] }));
  const metricsServer = config.metrics && createMetricsServer(metrics.registry);

  const app: App = {
    core,
    services,
    invalidate: freshness.invalidate,
    readMiniApps: crawl.readMiniApps,
    indexStp: chain.indexStp,
    searchTrades: chain.trades.round,
    announceTrades,
    start: async () => {
      await freshness.start();
      await watch.start();
      // An embedded database has one process, so every change in progress was interrupted. Not awaited: a provider may
      // be down.
      if (db.kind === 'embedded') {
        const options = { now: new Date(clock()), isAlone: true, failed: moneyFailed };
        void recoverChanges(money, options).catch((error: unknown) => moneyFailed(error, {}));
      }
      meter.start();
      hub.start();
      const { host } = config;
      const isAnswering = roles.has('api');
      const port = isAnswering ? await (servers[0] as Server).listen({ host, port: config.port }) : 0;
      const hubPort = await servers[1]?.listen({ host, port: config.hubHttpPort as number });
      const metricsPort = config.metrics && (await metricsServer?.listen(config.metrics));
      if (isAnswering) streams.start();
      if (roles.has('job')) {
        schedule.start();
        // After listening: a mini app that receives an event asks the hub endpoint about its key.
        miniApps.start();
        dispatcher.start();
        eventSender.start();
        chain.tracker.start();
      }
      if (roles.has('ingest')) accounts.follower?.start();
      // Not awaited: an unavailable endpoint must not prevent the start.
      void networks.check();
      return { port, hubPort, metricsPort };
    },
    stop: async () => {
      // Requests that wait for a receipt respond with what they have.
      sender.stop();
      model?.stop();
      // At once, because clients may take as long as they are allowed to in each.
      await Promise.all([streams.stop(), hub.stop(), ...servers.map((server) => server.stop())]);
      await meter.stop();
      const idle = Promise.all([chain.tracker.stop(), accounts.follower?.stop(), schedule.stop()]);
      // Transactions interrupted between their row and the response are resumed at the next start.
      networks.stop();
      await dispatcher.stop();
      await Promise.all([miniApps.stop(), eventSender.stop(), idle]);
      hub.close();
      await metricsServer?.stop();
      await watch.stop();
      await freshness.stop();
      await services.authenticator.stop();
      rateLimiter.close();
      admission.stop();
      await crawl.close();
      await core.close();
    },
  };
  return app;
};
