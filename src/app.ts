import type { Services } from './api/http/service.js';
import type { AppOptions, AppPorts } from './app/app-options.js';
import { type ComponentList, createLifecycle } from './app/component.js';
import { createListeners } from './app/listener.js';
import { createParts, type Parts } from './app/parts.js';
import { openMigratedDatabase, type ServiceCore } from './app/service-core.js';
import { readPlans } from './billing/plan/plan.js';
import type { Config } from './config/config.js';
import { readKnownTokens } from './onchain/token/service.js';
import type { Invalidation } from './store/change.js';
import { openTracer } from './trace/open-tracer.js';
import { tracedDatabase } from './trace/traced-database.js';

export interface App {
  readonly core: ServiceCore;
  readonly services: Services;
  /** Invalidates caches of this process after a write outside of ingest. */
  readonly invalidate: (invalidation: Invalidation) => void;
  /** Reads the manifests that are due now instead of at the next turn of the job. */
  readonly readMiniApps: (signal: AbortSignal) => Promise<void>;
  /** Reads the pages that recent casts embed until none waits, instead of at the next turns of the job. */
  readonly readEmbeds: (signal: AbortSignal) => Promise<void>;
  /** Searches the events of subscription contracts now, on all networks or on one. */
  readonly indexStp: Parts['chain']['indexStp'];
  /** Runs one round of the search for trades now. No other may be under way. */
  readonly searchTrades: Parts['chain']['trades']['round'];
  /** Writes new trades into the event log now. No other round may be under way. */
  readonly announceTrades: () => Promise<void>;
  /**
   * Starts to listen, and to do what its roles are. If it fails, everything is closed, the database, too.
   * @throws if a port is in use
   */
  start(): Promise<AppPorts>;
  /**
   * Completes requests in progress, commits submitted items, closes everything; nothing after a start that failed.
   * @throws the first error of a part that could not be stopped, when all others are
   */
  stop(): Promise<void>;
}

type Listeners = ReturnType<typeof createListeners>;

/** Everything that runs, in order of need: it is started from top to bottom, and stopped from bottom to top. */
const componentsOf = (
  { processes: { roles } }: Pick<Config, 'processes'>,
  { base, core, requests, hub, billing, models, accounts, chain, crawl, events, miniApps, schedule, watch }: Parts,
  { listen, metrics, servers }: Listeners,
): ComponentList => {
  const { freshness, replicas } = base;
  const { eventSender, streams, hubStreams } = events.services;
  const { tracker, networks } = chain;
  // Requests use some of these in processes of other roles, too, so all processes stop them.
  const inJobs = (start: () => void) => (roles.has('job') ? start : undefined);
  return [
    // Last, so that it has what the others do while they stop.
    { name: 'traces', stop: base.tracer?.stop },
    { name: 'core', stop: core.close },
    { name: 'link previews', stop: crawl.close },
    ...requests.components,
    { name: 'freshness', start: freshness.start, stop: freshness.stop },
    { name: 'replicas', start: () => replicas?.start(), stop: () => replicas?.stop() },
    { name: 'database watch', start: () => watch.start(), stop: () => watch.stop() },
    { name: 'metrics server', stop: metrics.stop },
    { name: 'calls to the hub', stop: hub.close },
    // Before anything works, because ports may be in use.
    { name: 'ports', start: listen },
    { name: 'plan changes', start: billing.recover },
    // What works without requests. It is stopped at once, and after the requests, which wait for some of it.
    [
      // Not awaited: an unavailable endpoint must not prevent the start. The stop aborts the calls of those below, whose
      // own stops have begun by then. Transactions interrupted between their row and the response are resumed at the
      // next start.
      { name: 'networks', start: () => void networks.check(), stop: networks.stop },
      { name: 'jobs', start: inJobs(schedule.start), stop: schedule.stop },
      { name: 'transaction tracker', start: inJobs(tracker.start), stop: tracker.stop },
      {
        name: 'local chain',
        start: roles.has('ingest') ? accounts.follower?.start : undefined,
        stop: accounts.follower?.stop,
      },
      // After listening: a mini app that receives an event asks the hub endpoint about its key.
      { name: 'mini apps', start: inJobs(miniApps.start), stop: miniApps.stop },
      { name: 'webhooks', start: inJobs(eventSender.start), stop: eventSender.stop },
      { name: 'webhook dispatcher', start: inJobs(events.dispatcher.start), stop: events.dispatcher.stop },
      {
        name: 'sender of events to a broker',
        start: inJobs(() => events.sink?.sender.start()),
        stop: events.sink?.sender.stop,
      },
    ],
    { name: 'meter', start: () => billing.services.meter.start(), stop: () => billing.services.meter.stop() },
    {
      name: 'request log',
      start: () => requests.services.requestLog?.start(),
      stop: () => requests.services.requestLog?.stop(),
    },
    // Stopped at once, because clients may take as long as they are allowed to in each.
    [
      { name: 'API servers', stop: servers.stop },
      { name: 'streams', start: roles.has('api') ? () => streams.start() : undefined, stop: () => streams.stop() },
      {
        name: 'hub streams',
        start: roles.has('api') ? () => hubStreams.start() : undefined,
        stop: () => hubStreams.stop(),
      },
      { name: 'hub reader', start: hub.start, stop: hub.stop },
    ],
    { name: 'models', stop: models.stop },
    // Requests that wait for a receipt respond with what they have.
    { name: 'sender', stop: () => chain.services.sender.stop() },
  ];
};

/**
 * Builds the whole service from its configuration and migrates the database; it listens only after `start`. The caller
 * must have locked the embedded database.
 */
export const createApp = async (config: Config, options: AppOptions): Promise<App> => {
  const files = { knownTokens: readKnownTokens(config.tokens, options.localTokens), plans: readPlans(config.billing) };
  const tracer = await openTracer(config, options.log);
  const opened = await openMigratedDatabase(config, options.database);
  const db = tracer ? tracedDatabase(opened, tracer) : opened;
  const parts = await createParts(config, options, { db, tracer, ...files }).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const { base, core, services, chain, crawl } = parts;
  const listeners = createListeners(config, services, options);
  const lifecycle = createLifecycle(componentsOf(config, parts, listeners), base.log);
  return {
    core,
    services,
    invalidate: base.changed,
    readMiniApps: crawl.readMiniApps,
    readEmbeds: crawl.readEmbeds,
    indexStp: chain.indexStp,
    searchTrades: chain.trades.round,
    announceTrades: chain.trades.announce,
    start: async () => {
      await lifecycle.start();
      return listeners.ports();
    },
    stop: () => {
      base.db.closeSoon();
      return lifecycle.stop();
    },
  };
};
