import type { MiniAppFault } from '../../schema/portal/mini-app.js';
import type { DomainState } from '../../store/miniapp/catalog-fault.js';

/** @returns what the catalog knows of the manifest of a domain */
export const viewManifestState = (
  row: DomainState,
): Pick<MiniAppFault, 'failures' | 'failure' | 'is_listed' | 'fetched_at' | 'next_fetch_at'> => ({
  failures: row.failures,
  failure: row.failure,
  is_listed: row.isListed,
  fetched_at: row.fetchedAt?.toISOString() ?? null,
  next_fetch_at: row.nextFetchAt.toISOString(),
});
