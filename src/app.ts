import { ensureDefaultAccess } from './access/key.js';
import { notifyUrls } from './api/app-host/notify-url.js';
import { createAuthenticator } from './api/http/auth.js';
import { createMetricsServer } from './api/metrics-server.js';
import { openRateCount } from './api/rate-count.js';
import { createRateLimiter } from './api/rate-limit.js';
import { buildServer, type Server, type ServerOptions } from './api/server.js';
import type { ReadinessCheck, SamplePicture, Services } from './api/service.js';
import { createMoney } from './billing/money.js';
import { moneyJobs } from './billing/money-job.js';
import { noMeter } from './billing/no-meter.js';
import { readPlans } from './billing/plan/plan.js';
import { recoverChanges } from './billing/recovery.js';
import { renewIfDue } from './billing/plan/renewal.js';
import { requireSubscribedPlans } from './billing/plan/subscribed-plan.js';
import { createMeter } from './billing/unit-meter.js';
import { createChange } from './cache/invalidating-write.js';
import { createFreshness } from './cache/freshness.js';
import { createReads } from './cache/reads.js';
import type { Config } from './config/config.js';
import { ConfigError } from './config/reader.js';
import { type Core, openCore } from './service-core.js';
import { createOutbound } from './delivery/outbound.js';
import { HubClient } from './ingest/hub/client.js';
import { HubReader } from './ingest/hub-reader.js';
import { submitThroughHub } from './ingest/hub-writer.js';
import { createValidator } from './ingest/validate.js';
import { jobList } from './job/job-list.js';
import { createSchedule } from './job/schedule.js';
import type { Log } from './log.js';
import { createMetrics, deliveryMeter, hubMeter, observeBatch } from './metric.js';
import { createManifests } from './miniapp/manifest.js';
import { createHostOutbox } from './miniapp/outbox.js';
import { createPushOutbox } from './miniapp/push.js';
import { createTeller } from './miniapp/webhook.js';
import { createFollower } from './onchain/follower.js';
import { createNetworks, type LocalChainAddress } from './onchain/networks.js';
import { createSender } from './onchain/transaction/sender.js';
import { createTokenService, type KnownTokens, readKnownTokens } from './onchain/token/service.js';
import { createWallets } from './onchain/transaction/wallet.js';
import { DatabaseWatch, isBehind, readinessChecks } from './readiness.js';
import { createSigners } from './signer/signers.js';
import type { Invalidation } from './store/change.js';
import { selectRefusedItemCount } from './store/refused-item.js';
import { selectForeignSealCount } from './store/sealed.js';
import { VERSION } from './version.js';
import { createWriter } from './write/writer.js';

/** Caches of every process see a change of another one after this time. */
const FRESHNESS_POLL_MS = 250;

export interface App {
  readonly core: Core;
  readonly services: Services;
  /** Tells caches of this process what was written beside the pipeline. */
  readonly invalidate: (invalidation: Invalidation) => void;
  /** Starts to listen; @returns where. @throws when a port is taken. */
  start(): Promise<{ readonly port: number; readonly hubPort: number | undefined }>;
  /** Finishes what is in flight, commits what was submitted, closes everything. */
  stop(): Promise<void>;
}

export interface AppOptions extends Pick<ServerOptions, 'operations' | 'costs'> {
  readonly log: Log;
  /** Holds every answer against its schema; for tests. */
  readonly validateResponses?: boolean;
  /** Unix milliseconds; tests turn it. */
  readonly clock?: () => number;
  /** Stands in for every network without endpoints. */
  readonly localChain?: LocalChainAddress | undefined;
  /** Tokens of that chain, with their prices. */
  readonly localTokens?: KnownTokens | undefined;
  /** What must hold before requests should be sent here, beyond what every service checks. */
  readonly readiness?: readonly ReadinessCheck[];
  /** Draws the pictures of the sample network, where the service may have one. */
  readonly samplePicture?: SamplePicture;
}

/** Secrets that no key of the configuration opens would only show when somebody wants to sign. */
const requireSeals = async (core: Core, masterKey: Config['masterKey']): Promise<void> => {
  const foreign = await selectForeignSealCount(core.db, masterKey.ids);
  if (foreign === 0) return;
  await core.close();
  const problem = `does not open everything: ${foreign} stored secrets are under another key. Set CASTELLAN_MASTER_KEY_PREVIOUS to that one, then run \`castellan secret rotate\`.`;
  throw new ConfigError([{ variable: 'CASTELLAN_MASTER_KEY', problem }]);
};

/**
 * Builds the whole service from its configuration; nothing listens before `start`. The embedded database must be
 * locked by the caller. Migrates the database.
 */
export const createApp = async (
  config: Config,
  {
    log,
    validateResponses = false,
    clock = Date.now,
    localChain,
    localTokens,
    readiness = [],
    samplePicture,
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
  const core = await openCore(config, log, {
    onCommit: (invalidation) => freshness?.invalidate(invalidation),
    onBatch: (batch) => observeBatch(metrics, batch),
  });
  const { db } = core;
  await requireSeals(core, config.masterKey);
  await requireSubscribedPlans(db, plans).catch(async (error: unknown) => {
    await core.close();
    throw error;
  });
  let reader: HubReader | undefined;
  const stopping = new AbortController();
  const hubClient = config.hub && new HubClient(config.hub, stopping.signal);
  const submit = hubClient ? submitThroughHub(hubClient, core.ingest) : core.ingest.submit;
  freshness = createFreshness({ db, pollMs: FRESHNESS_POLL_MS });
  if (config.allowLoopbackTargets) {
    log.warn(
      'CASTELLAN_ALLOW_LOOPBACK_TARGETS is on: whoever holds a key may make this service call programs on this machine',
    );
  }
  const outbound = createOutbound({ allowLoopback: config.allowLoopbackTargets });
  const networks = createNetworks({
    rpc: config.rpc,
    localChain,
    done: (network, outcome, seconds) => metrics.rpcSeconds.observe({ network, outcome }, seconds),
    turned: (endpoint, fault) => {
      if (fault) log.warn({ endpoint, outcome: fault.outcome }, fault.shortMessage);
      else log.info({ endpoint }, 'an endpoint answers again');
    },
  });
  const hostOutbox = createHostOutbox({
    db,
    tell: createTeller({ manifests: createManifests({ db, outbound, networks }), outbound }),
    rule: outbound,
    notifyUrls: notifyUrls(config.publicUrl),
    clock,
    meter: deliveryMeter(metrics),
    failed: (error) => log.error({ err: error }, 'host events could not be looked after; they are tried again'),
  });
  const pushOutbox = createPushOutbox({
    db,
    outbound,
    masterKey: config.masterKey,
    dialect: config.wireNames,
    clock,
    meter: deliveryMeter(metrics),
    failed: (error) => log.error({ err: error }, 'notifications could not be pushed; they are tried again'),
  });
  const tokens = createTokenService({
    db,
    networks,
    config: config.tokens,
    known,
    clock,
    warn: (details, message) => log.warn(details, message),
  });
  const chainParts = {
    db,
    networks,
    masterKey: config.masterKey,
    maxFeeGwei: config.maxFeeGwei,
    clock,
    failed: (error: unknown) =>
      log.error({ err: error }, 'transactions could not be looked after; they are tried again'),
  };
  const sender = createSender(chainParts);
  const follower = createFollower(chainParts);
  const rateCount = await openRateCount(config.rateLimit.store, { db, log });
  const money = await createMoney({
    db,
    plans,
    payment: config.billing.payment,
    clock,
    returnUrl: config.publicUrl,
    warn: (details, message) => log.warn(details, message),
  });
  const moneyFailed = (error: unknown, of: object): void =>
    log.error({ err: error, ...of }, 'the billing of an organization could not be looked after; it is tried again');
  const { quotaMode } = config.billing;
  const meter =
    quotaMode === 'off'
      ? noMeter
      : createMeter({
          db,
          plans,
          clock,
          enforces: quotaMode === 'enforce',
          renew: (organizationId) => renewIfDue(money, organizationId, new Date(clock())),
          counted: (operation, units) => metrics.computeUnits.inc({ operation }, units),
          failed: (error) => log.error({ err: error }, 'use and limits could not be looked after; that is tried again'),
          lost: (units) => log.error({ units }, 'compute units were lost: they could not be written down'),
        });
  const watch = new DatabaseWatch(db, log);
  const services: Services = {
    db,
    log,
    metrics,
    clock,
    reads: createReads({
      db,
      cacheBytes: config.fragmentCacheBytes,
      freshness,
      clock,
      dialect: config.wireNames,
      report: (entity, err) => log.error({ err, entity }, 'an entity that cannot be rendered is left out of its page'),
    }),
    change: createChange(db, freshness),
    signers: createSigners({ db, masterKey: config.masterKey, clock }),
    networks,
    balances: tokens.balances,
    tokenMetadata: tokens.tokenMetadata,
    wallets: createWallets({ db }),
    sender,
    ...(samplePicture && { samplePicture }),
    approvesLocally: config.profile === 'dev' && config.hub === undefined,
    hub: {
      version: VERSION,
      nickname: 'castellan',
      operatorFid: 0,
      network: core.network,
      isSyncing: () => isBehind(reader?.state(), config.readyMaxLagSeconds),
      submit,
      validate: createValidator({ db, verify: core.verify, now: clock }),
    },
    writer: createWriter({
      db,
      submit,
      isForwarded: hubClient !== undefined,
      network: core.network,
      clock,
      timeoutMs: config.writeTimeoutSeconds * 1000,
      isIndexed: core.filter?.accepts,
    }),
    outbound,
    hostOutbox,
    pushOutbox,
    authenticator: createAuthenticator({ db, log, clock }),
    rateLimiter: createRateLimiter({
      perMinute: config.rateLimit.perMinute,
      planLimit: (planId) => plans.byId(planId).requestsPerMinute,
      count: rateCount,
    }),
    meter,
    dialect: config.wireNames,
    publicUrl: config.publicUrl,
    plans,
    money,
    ...(money.events && { paymentEvents: money.events }),
    cursorKey: { sign: config.masterKey.derive('cursor'), accept: config.masterKey.deriveAll('cursor') },
    readiness: [
      ...readinessChecks({ database: watch, hub: () => reader?.state(), maxLagSeconds: config.readyMaxLagSeconds }),
      ...readiness,
    ],
  };
  const schedule = createSchedule({
    db,
    jobs: [
      ...jobList({ db, clock, changed: freshness.invalidate, searchTransfers: tokens.searchTransfers }),
      ...moneyJobs({ money, clock, failed: moneyFailed }),
    ],
    failed: (job, error) => log.error({ err: error, job }, 'a job failed; it is tried again after its interval'),
  });
  await ensureDefaultAccess(db, config.apiKey?.reveal(), new Date(clock()));
  const { trustedProxies } = config;
  const servers: Server[] = [buildServer(services, { ...more, validateResponses, trustedProxies })];
  if (config.hubHttpPort !== undefined) servers.push(buildServer(services, { families: ['hub'], validateResponses }));
  const metricsServer = config.metrics && createMetricsServer(metrics.registry);

  const app: App = {
    core,
    services,
    invalidate: freshness.invalidate,
    start: async () => {
      await freshness.start();
      await watch.start();
      // An embedded database has one process: what is under way now was cut off. Not waited for, as a provider may be away.
      if (db.kind === 'embedded') {
        const options = { now: new Date(clock()), isAlone: true, failed: moneyFailed };
        void recoverChanges(money, options).catch((error: unknown) => moneyFailed(error, {}));
      }
      schedule.start();
      meter.start();
      if (config.hub) {
        reader = new HubReader({
          address: config.hub,
          db,
          ingest: core.ingest,
          log,
          meter: hubMeter(metrics),
          ...(core.filter ? { filter: core.filter } : {}),
        });
      }
      const { host } = config;
      const port = await (servers[0] as Server).listen({ host, port: config.port });
      const hubPort =
        config.hubHttpPort === undefined ? undefined : await servers[1]?.listen({ host, port: config.hubHttpPort });
      if (config.metrics) await metricsServer?.listen(config.metrics);
      // Last: a mini app asks the hub endpoint about the key of the event that it is just told.
      hostOutbox.start();
      pushOutbox.start();
      follower.start();
      // Not waited for: an endpoint that is away must not keep the service from starting.
      void networks.check();
      return { port, hubPort };
    },
    stop: async () => {
      // Requests that wait for a receipt answer what they know.
      sender.stop();
      await Promise.all([reader?.stop(), ...servers.map((server) => server.stop())]);
      await meter.stop();
      const idle = Promise.all([follower.stop(), schedule.stop()]);
      // What is cut off between a row and its answer is found again at the next start.
      networks.stop();
      await Promise.all([hostOutbox.stop(), pushOutbox.stop(), idle]);
      stopping.abort();
      hubClient?.close();
      await metricsServer?.stop();
      await watch.stop();
      await freshness.stop();
      await services.authenticator.stop();
      rateCount?.close();
      await core.close();
    },
  };
  return app;
};
