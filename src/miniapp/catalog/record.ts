import type { Database } from '../../db/database.js';
import { DAY_MS, HOUR_MS } from '../../duration.js';
import { type CatalogApp, deleteCatalogApp, upsertCatalogApp } from '../../store/miniapp/catalog-app.js';
import { selectKnownDomain, updateDomainFailed, updateDomainRead } from '../../store/miniapp/catalog-domain.js';
import type { ManifestError } from '../manifest-error.js';

/** Manifests are read daily (discovery guide, "Refreshing"). */
const REFRESH_MS = DAY_MS;
/** Pause after the first attempt that failed; each further one doubles it. */
const FIRST_PAUSE_MS = { temporary: HOUR_MS, lasting: DAY_MS };
const MAX_PAUSE_MS = 32 * DAY_MS;
/** How long a mini app stays listed whose domain does not answer. */
const GRACE_MS = 7 * DAY_MS;

/** Stores a manifest that was read. @param app undefined: the stored one did not change */
export const recordManifest = (db: Database, domain: string, app: CatalogApp | undefined, now: number): Promise<void> =>
  db.transaction(async (session) => {
    await updateDomainRead(session, domain, new Date(now), new Date(now + REFRESH_MS));
    if (app !== undefined) await upsertCatalogApp(session, app, new Date(now));
  });

/**
 * Stores that a manifest was not readable. The mini app is no longer listed, unless the fault is temporary and the
 * manifest was read within the last seven days.
 */
export const recordFault = (db: Database, domain: string, fault: ManifestError, now: number): Promise<void> =>
  db.transaction(async (session) => {
    const known = await selectKnownDomain(session, domain);
    const failures = (known?.failures ?? 0) + 1;
    const first = FIRST_PAUSE_MS[fault.isTemporary ? 'temporary' : 'lasting'];
    const pause = Math.min(MAX_PAUSE_MS, first * 2 ** Math.min(failures - 1, 30));
    const at = { now: new Date(now), next: new Date(now + pause) };
    await updateDomainFailed(session, domain, at, { failures, failure: fault.message });
    const readAt = known?.readAt?.getTime() ?? 0;
    if (!fault.isTemporary || readAt + GRACE_MS <= now) await deleteCatalogApp(session, domain);
  });
