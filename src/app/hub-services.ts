import { Gauge, type Registry } from 'prom-client';
import type { HubServices } from '../api/http/hub-service.js';
import type { Config } from '../config/config.js';
import { HubClient } from '../ingest/hub/client.js';
import { HubLeader } from '../ingest/hub/leader.js';
import { HubReader, type HubState } from '../ingest/hub/reader.js';
import type { SyncState } from '../ingest/hub/sync-progress.js';
import { type SubmitEach, submitEachThroughHub, submitEachTo, submitThroughHub } from '../ingest/hub/writer.js';
import type { Ingest } from '../ingest/pipeline/pipeline.js';
import { createValidator } from '../ingest/pipeline/validate.js';
import { hubMeter } from '../metric.js';
import { VERSION } from '../version.js';
import type { Base } from './base.js';
import { isBehind } from './readiness.js';
import type { ServiceCore } from './service-core.js';

/** Reading from the hub and writing to it. */
export interface HubConnection {
  /** Sends messages to the hub and stores them; without a hub it stores them. */
  readonly submit: Ingest['submit'];
  /** The same for messages of which none keeps the others from being stored. */
  readonly submitEach: SubmitEach;
  readonly isForwarded: boolean;
  /** @returns the state of the process that follows the hub; undefined without a hub */
  state(): HubState | undefined;
  /** Follows the hub as long as no other process does. */
  start(): void;
  /** Ends after the batches in progress. */
  stop(): Promise<void>;
  /** Ends calls in progress. */
  close(): void;
}

/** Adds the progress of the running sync with the hub, which is the same in all processes. */
const addSyncGauge = (registry: Registry, state: () => SyncState | undefined): void => {
  new Gauge({
    name: 'castellan_hub_sync_accounts',
    help: 'Accounts of the running sync with the hub, by state (`done`, `due`); none while no sync runs',
    labelNames: ['state'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      const sync = state();
      if (sync === undefined) return;
      this.set({ state: 'done' }, sync.done);
      this.set({ state: 'due' }, sync.total - sync.done);
    },
  });
};

export const connectHub = (
  config: Pick<Config, 'hub' | 'processes'>,
  { db, metrics, log }: Base,
  { ingest, filter }: ServiceCore,
): HubConnection => {
  const address = config.hub;
  if (!address) {
    return {
      submit: ingest.submit,
      submitEach: submitEachTo(ingest),
      isForwarded: false,
      state: () => undefined,
      start: () => undefined,
      stop: async () => undefined,
      close: () => undefined,
    };
  }
  const closing = new AbortController();
  const client = new HubClient(address, closing.signal);
  const leader = new HubLeader({
    db,
    canLead: config.processes.roles.has('ingest'),
    follow: () => new HubReader({ address, db, ingest, log, meter: hubMeter(metrics), ...(filter ? { filter } : {}) }),
    ended: () => {
      log.warn('another process follows the hub now');
      metrics.newestEventAt.clear();
    },
    failed: (error) => log.error({ err: error }, 'who follows the hub could not be settled; it is tried again'),
  });
  addSyncGauge(metrics.registry, () => leader.state.backfill);
  return {
    submit: submitThroughHub({ client, ingest }),
    submitEach: submitEachThroughHub({ client, ingest }),
    isForwarded: true,
    state: () => leader.state,
    start: () => leader.start(),
    stop: () => leader.stop(),
    close: () => {
      closing.abort();
      client.close();
    },
  };
};

/** What the hub API of this service answers with. */
export const hubServices = (
  { readyMaxLagSeconds }: Pick<Config, 'readyMaxLagSeconds'>,
  { db, clock }: Base,
  { core, hub }: { readonly core: ServiceCore; readonly hub: HubConnection },
): HubServices => ({
  version: VERSION,
  nickname: 'castellan',
  operatorFid: 0,
  network: core.network,
  state: hub.state,
  isSyncing: () => isBehind(hub.state(), readyMaxLagSeconds),
  submit: hub.submit,
  submitEach: hub.submitEach,
  validate: createValidator({ db, verify: core.verify, now: clock }),
  verify: core.verify,
});
