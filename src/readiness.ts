import type { ReadinessCheck } from './api/service.js';
import type { HubState } from './ingest/hub-reader.js';
import type { Database } from './store/database.js';
import { selectPendingMigrations } from './store/migrate.js';

/** @returns whether the store lacks what the hub has: away, filling up, or later than allowed; never without a hub. */
export const isBehind = (state: HubState | undefined, maxLagSeconds: number): boolean =>
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
 * What must hold before requests should be sent here.
 * @param parts `hub` tells how the reading of the hub stands, undefined without one
 */
export const readinessChecks = (parts: {
  readonly db: Database;
  readonly hub: () => HubState | undefined;
  readonly maxLagSeconds: number;
}): readonly ReadinessCheck[] => [
  { name: 'database', check: async () => void (await parts.db.select('select 1')) },
  {
    name: 'migrations',
    check: async () => {
      const pending = await selectPendingMigrations(parts.db);
      return pending.length === 0 ? undefined : `not applied: ${pending.join(', ')}; run castellan migrate`;
    },
  },
  { name: 'ingest', check: async () => ingestProblem(parts.hub(), parts.maxLagSeconds) },
];
