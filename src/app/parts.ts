import { ensureDefaultAccess } from '../access/key.js';
import type { Services } from '../api/http/service.js';
import { createReadinessHistory } from '../api/system/readiness-history.js';
import type { Plans } from '../billing/plan/plan.js';
import { requireSubscribedPlans } from '../billing/plan/subscribed-plan.js';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import { createImageGenerator } from '../image/generator.js';
import { retryRefused } from '../ingest/pipeline/refused-item-retry.js';
import type { Job } from '../job/schedule.js';
import { observeBatch } from '../metric.js';
import { createModelServices } from '../model/service.js';
import type { KnownTokens } from '../onchain/token/service.js';
import { APP_SCOPES, SCOPES } from '../schema/scope.js';
import { createTopicJob } from '../topic/topic-job.js';
import type { Tracer } from '../trace/tracer.js';
import { createAccountServices } from './account-services.js';
import type { AppOptions } from './app-options.js';
import { createBase } from './base.js';
import { createBillingServices } from './billing-services.js';
import { createChainClaimReader } from './chain-claim-reader.js';
import { createChainServices } from './chain-services.js';
import { createCrawlServices } from './crawl-services.js';
import { createEventServices } from './event-services.js';
import { connectHub, hubServices } from './hub-services.js';
import { createJobSchedule } from './job-schedule.js';
import { isLocalNetwork } from './local-network.js';
import { createMiniAppServices } from './mini-app-services.js';
import { DatabaseWatch, readinessChecks } from './readiness.js';
import { openRequestServices } from './request-services.js';
import { createCore, requireSeals } from './service-core.js';
import { createSignInServices } from './sign-in-services.js';
import { createWriteServices } from './write-services.js';

/**
 * Builds all parts of the service; none of them works before it is started.
 * @param given `db` must have the current schema; it stays open if this fails
 * @throws ConfigError if the configuration does not fit what is stored
 */
export const createParts = async (
  config: Config,
  options: AppOptions,
  given: {
    readonly db: Database;
    readonly knownTokens: KnownTokens;
    readonly plans: Plans;
    /** Undefined: there are no traces. */
    readonly tracer?: Tracer | undefined;
  },
) => {
  const { db, knownTokens, plans } = given;
  // First whatever may fail: until then only the database is open.
  await requireSeals(db, config.masterKey);
  await requireSubscribedPlans(db, plans);
  const base = createBase(config, db, options, given.tracer);
  const { log, clock, metrics, changed, freshness, outbound, reads, timings } = base;
  const scopes = config.profile === 'dev' ? SCOPES : APP_SCOPES;
  if (!(await ensureDefaultAccess(db, config.apiKey?.reveal(), new Date(clock()), scopes)))
    log.warn('the key of CASTELLAN_API_KEY was revoked or replaced, and does not work: configure another one');
  const billing = await createBillingServices(config, base, { plans, stripeAddress: options.stripeAddress });
  const requests = await openRequestServices(config, base, plans);

  const { sampleFiles, sampleMiniApps, localChain, addLocalKey } = options;
  const chain = createChainServices(config, base, { localChain, knownTokens });
  const { networks } = chain;
  const { sender } = chain.services;
  const core = createCore(db, config, log, {
    onCommit: changed,
    onBatch: (batch) => observeBatch(metrics, batch),
    chains: createChainClaimReader(networks),
    tracer: given.tracer,
  });
  const hub = connectHub(config, base, core);
  const models = createModelServices(config, { db, clock, embeddingMs: timings.embeddingMs });
  const writes = createWriteServices(config, base, { core, hub, link: options.siblings, networks });
  const { signers, writer } = writes.services;
  const accounts = createAccountServices(config, base, {
    ...{ ingest: core.ingest, networks, sender, signers, writer },
    hasLocalChain: localChain !== undefined,
  });
  const crawl = createCrawlServices(config, base, { networks, sampleFiles, sampleMiniApps });
  const events = createEventServices(config, base, { core, limits: billing.services.planLimits });
  const miniApps = createMiniAppServices(config, base, networks);
  const warn = (details: object, message: string): void => log.warn(details, message);
  const schedule = createJobSchedule(config, base, [
    ...[billing, writes, crawl, accounts, chain, models].flatMap((part): readonly Job[] => part.jobs),
    createTopicJob({ db, clock, model: models.model, changed, warn }),
  ]);
  freshness.onChange(schedule.wake);
  const watch = new DatabaseWatch(db, log, timings.databaseMs);
  const lag = { hub: hub.state, replicas: base.replicas, maxLagSeconds: config.readyMaxLagSeconds };
  const services: Services = {
    ...{ db, log, metrics, clock, reads, outbound },
    ...(base.tracer && { tracer: base.tracer }),
    ...requests.services,
    ...billing.services,
    ...writes.services,
    ...accounts.services,
    ...events.services,
    ...miniApps.services,
    ...chain.services,
    ...models.services,
    ...createSignInServices(config, base, networks),
    approvesLocally: isLocalNetwork(config),
    ...(options.sampleWallets && isLocalNetwork(config) && { sampleWallets: options.sampleWallets }),
    ...(isLocalNetwork(config) && addLocalKey && { addLocalKey: (key) => addLocalKey(core, key) }),
    ...(sampleFiles && { sampleFiles }),
    ...(sampleMiniApps && { sampleMiniApps }),
    readiness: [
      ...readinessChecks({ database: watch, ...lag }),
      ...(events.sink ? [events.sink.readiness] : []),
      ...(options.readiness ?? []),
    ],
    readinessHistory: createReadinessHistory(clock),
    hub: hubServices(config, base, { core, hub }),
    retryRefused: (what) => retryRefused(core, what),
    crawler: crawl.crawler,
    images: createImageGenerator({ config: config.images, outbound }),
    mediaQuotaBytes: config.mediaQuotaBytes,
    ...(config.domainAssociation && { domainAssociation: config.domainAssociation }),
  };
  return {
    ...{ base, core, services, hub, requests, billing, accounts, chain, crawl, events, miniApps, models },
    ...{ schedule, watch },
  };
};
export type Parts = Awaited<ReturnType<typeof createParts>>;
