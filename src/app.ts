import { ensureDefaultAccess } from './access/key.js';
import { createAuthenticator } from './api/auth.js';
import { createMetricsServer } from './api/metrics-server.js';
import { createRateLimiter } from './api/rate-limit.js';
import { buildServer, type Server } from './api/server.js';
import type { Services } from './api/service.js';
import type { Config } from './config/config.js';
import { type Core, openCore } from './core.js';
import { createFreshness } from './hydrate/freshness.js';
import { createHydrate } from './hydrate/hydrate.js';
import { HubClient } from './ingest/hub-client.js';
import { HubReader, type HubState } from './ingest/hub-reader.js';
import { submitThroughHub } from './ingest/hub-writer.js';
import type { IngestReport, Source } from './ingest/outcome.js';
import { jobList } from './job/job-list.js';
import { createSchedule } from './job/schedule.js';
import type { Log } from './log.js';
import { createMetrics, hubMeter, type Metrics } from './metric.js';
import type { Touched } from './store/change.js';
import { selectPendingMigrations } from './store/migrate.js';
import { VERSION } from './version.js';
import { FragmentCache } from './view/fragment.js';

/** Caches of every process see a change of another one after this time. */
const FRESHNESS_POLL_MS = 250;

/** How the cache's bytes are shared between raw messages, and entities with their fragments. */
const HUB_SHARE = 0.25;

export interface App {
  readonly core: Core;
  readonly services: Services;
  /** Tells caches of this process what was written beside the pipeline. */
  readonly touched: (touched: Touched) => void;
  /** Starts to listen; @returns where. @throws when a port is taken. */
  start(): Promise<{ readonly port: number; readonly hubPort: number | undefined }>;
  /** Finishes what is in flight, commits what was submitted, closes everything. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly log: Log;
  /** Holds every answer against its schema; for tests. */
  readonly validateResponses?: boolean;
  /** Unix milliseconds; tests turn it. */
  readonly clock?: () => number;
}

const count = (metrics: Metrics, source: Source, report: IngestReport): void => {
  for (const outcome of ['merged', 'known', 'superseded', 'kept', 'ignored', 'removed', 'absent'] as const) {
    if (report[outcome] > 0) metrics.ingestMessages.inc({ source, outcome }, report[outcome]);
  }
  for (const [reason, n] of Object.entries(report.invalid)) metrics.ingestMessages.inc({ source, outcome: reason }, n);
};

const isBehind = (state: HubState | undefined, maxLagSeconds: number): boolean =>
  state !== undefined && (!state.connected || state.backfill !== undefined || (state.lagSeconds ?? 0) > maxLagSeconds);

/** @returns what keeps the store from being current; undefined when it is, or reads from no hub. */
const ingestProblem = (state: HubState | undefined, maxLagSeconds: number): string | undefined => {
  if (!state) return undefined;
  if (!state.connected) return 'not connected to the hub of HUB_URL';
  const lag = state.lagSeconds ?? 0;
  return lag > maxLagSeconds
    ? `${Math.round(lag)} s behind the hub (READY_MAX_LAG_SECONDS is ${maxLagSeconds})`
    : undefined;
};

/**
 * Builds the whole service from its configuration; nothing listens before `start`. The embedded database must be
 * locked by the caller. Migrates the database.
 */
export const createApp = async (config: Config, { log, validateResponses = false, clock = Date.now }: AppOptions) => {
  let freshness: ReturnType<typeof createFreshness> | undefined;
  let metrics: Metrics | undefined;
  const core = await openCore(config, log, {
    onCommit: (touched) => freshness?.touched(touched),
    onBatch: ({ source, report, seconds }) => {
      if (!metrics) return;
      count(metrics, source, report);
      metrics.ingestBatchSeconds.observe(seconds);
    },
  });
  const { db } = core;
  let reader: HubReader | undefined;
  const stopping = new AbortController();
  const writer = config.hub && new HubClient(config.hub, stopping.signal);
  metrics = createMetrics(db.load);
  freshness = createFreshness({ db, pollMs: FRESHNESS_POLL_MS });
  const hubBytes = Math.floor(config.fragmentCacheBytes * HUB_SHARE);
  const services: Services = {
    db,
    log,
    metrics,
    clock,
    hydrate: createHydrate({ db, cacheBytes: config.fragmentCacheBytes - hubBytes, freshness }),
    hub: {
      version: VERSION,
      nickname: 'castellan',
      operatorFid: 0,
      network: core.network,
      isSyncing: () => isBehind(reader?.state(), config.readyMaxLagSeconds),
      messages: new FragmentCache(hubBytes),
      submit: writer ? submitThroughHub(writer, core.ingest) : core.ingest.submit,
      verify: (wires) => core.verify(wires, { isSubmission: true, chainClaims: 'refuse' }),
    },
    authenticator: createAuthenticator({ db, log, clock }),
    rateLimiter: createRateLimiter(config.rateLimitPerMinute),
    publicUrl: config.publicUrl,
    cursorKey: config.masterKey.derive('cursor'),
    readiness: [
      { name: 'database', check: async () => void (await db.run('select 1')) },
      {
        name: 'migrations',
        check: async () => {
          const pending = await selectPendingMigrations(db);
          return pending.length === 0 ? undefined : `not applied: ${pending.join(', ')}; run castellan migrate`;
        },
      },
      { name: 'ingest', check: async () => ingestProblem(reader?.state(), config.readyMaxLagSeconds) },
    ],
  };
  const schedule = createSchedule({
    db,
    jobs: jobList({ db, clock, changed: freshness.touched }),
    failed: (job, error) => log.error({ err: error, job }, 'a job failed; it is tried again after its interval'),
  });
  await ensureDefaultAccess(db, config.apiKey?.reveal(), new Date(clock()));
  const servers: Server[] = [buildServer(services, { validateResponses })];
  if (config.hubHttpPort !== undefined) servers.push(buildServer(services, { families: ['hub'], validateResponses }));
  const metricsServer = config.metrics && createMetricsServer(metrics.registry);

  const app: App = {
    core,
    services,
    touched: freshness.touched,
    start: async () => {
      await freshness.start();
      schedule.start();
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
      return { port, hubPort };
    },
    stop: async () => {
      await Promise.all([reader?.stop(), ...servers.map((server) => server.stop())]);
      await schedule.stop();
      stopping.abort();
      writer?.close();
      await metricsServer?.stop();
      await freshness.stop();
      await services.authenticator.stop();
      await core.close();
    },
  };
  return app;
};
