import { LRUCache } from 'lru-cache';
import type { Caller } from '../../access/caller.js';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import { type BrowserClientRow, selectBrowserClient } from '../../store/access/browser-client.js';
import { isUuid } from '../../uuid.js';

/** Maximum time for which an app, or an origin that was taken away, still works. */
const CACHE_MS = 1000;
const CACHE_APPS = 10_000;

const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

const refused = (message: string): AppError =>
  new AppError('unauthorized', 'Unauthorized', message, { property: 'client_id' });

export interface BrowserClients {
  /**
   * @param clientId id of an app, which is no secret
   * @param origin header `Origin`, which a browser sends with requests of a page of another origin
   * @returns the caller for a page of the app, which may only read
   * @throws AppError 'unauthorized' with property `client_id` for an unknown app, one without a working key, and another
   *   origin; the database's error
   */
  authenticate(clientId: string, origin: string | undefined): Promise<Caller>;
}

/** @param options `isLocal`: whether pages of this machine may read for every app, on a local network. */
export const createBrowserClients = (options: {
  readonly db: Database;
  readonly clock: () => number;
  readonly isLocal: boolean;
}): BrowserClients => {
  const { db, clock, isLocal } = options;
  const known = new LRUCache<string, Promise<BrowserClientRow | undefined>>({ max: CACHE_APPS, ttl: CACHE_MS });
  const find = (appId: string): Promise<BrowserClientRow | undefined> => {
    const cached = known.get(appId);
    if (cached !== undefined) return cached;
    const asked = selectBrowserClient(db, appId, new Date(clock()));
    known.set(appId, asked);
    asked.catch(() => known.delete(appId));
    return asked;
  };
  return {
    authenticate: async (clientId, origin) => {
      const client = isUuid(clientId) ? await find(clientId.toLowerCase()) : undefined;
      if (client === undefined)
        throw refused('client_id is no app that pages may read for: it needs a key that works.');
      const { appId, origins } = client;
      if (origin === undefined)
        throw refused('client_id is for pages in a browser, which send an Origin. Send an API key.');
      if (!origins.includes(origin) && !(isLocal && LOCAL_ORIGIN.test(origin))) {
        const how = `\`castellan app set ${appId} --origin ORIGIN\` or PUT /portal/app/origins allows it`;
        throw refused(`Pages of this origin may not read with this client_id: ${how}.`);
      }
      const { keyId, appFid, organizationId, planId } = client;
      return { keyId, appId, appFid, organizationId, planId, scopes: new Set(['read']) };
    },
  };
};
