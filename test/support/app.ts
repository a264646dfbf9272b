import { createKey, DEFAULT_ORGANIZATION_ID } from '../../src/access/key.js';
import type { Timings } from '../../src/app/app-options.js';
import { createApp } from '../../src/app.js';
import type { Database } from '../../src/db/database.js';
import type { IngestItem } from '../../src/ingest/item.js';
import { createLog } from '../../src/log.js';
import { SCOPES, type Scope } from '../../src/schema/scope.js';
import { insertApp } from '../../src/store/access/app.js';
import { type Network, POLL_MS } from './network.js';

/** Another app of the same installation. */
export interface SecondApp {
  readonly id: string;
  /** Headers with the app's key: `network.get(path, other.headers)`. */
  readonly headers: Record<string, string>;
}

/** @param scopes of its key; all unless given */
export const createSecondApp = async (network: Network, scopes: readonly Scope[] = SCOPES): Promise<SecondApp> => {
  const { db } = network.app.core;
  const app = await insertApp(db, { organizationId: DEFAULT_ORGANIZATION_ID, name: 'another app' });
  if (app === undefined) throw new Error('the app has an id of its own and is there nevertheless');
  return { id: app.id, headers: await headersOf(db, app.id, scopes) };
};

const headersOf = async (db: Database, appId: string, scopes: readonly Scope[]) => {
  const { secret } = await createKey(db, { name: 'of a test', appId, scopes, now: new Date() });
  return { 'x-api-key': secret };
};

/** @returns headers with a key of the network's own app that has only these scopes */
export const keyWith = async (network: Network, ...scopes: Scope[]): Promise<Record<string, string>> => {
  const [row] = await network.app.core.db.run<{ app_id: string }>(
    'select app_id from api_key order by created_at limit 1',
  );
  if (row === undefined) throw new Error('the network has no key');
  return headersOf(network.app.core.db, row.app_id, scopes);
};

/** A second service on the network's database, like another process; requires a PostgreSQL server. */
export const startSecondService = async (network: Network, clock: () => number = Date.now, timings: Timings = {}) => {
  const app = await createApp(
    { ...network.config, port: 0, hubHttpPort: undefined, metrics: undefined },
    { log: createLog('silent'), validateResponses: true, clock, timings: { pollMs: POLL_MS, ...timings } },
  );
  const { port } = await app.start();
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'x-api-key': network.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get: (path: string) => send('GET', path),
    send,
    /** Loads items as an import does, without announcing them. */
    load: (items: readonly IngestItem[]) => app.core.ingest.submit(items, { source: 'sample', announce: false }),
    /** Stores items as they come from a hub. */
    submit: (items: readonly IngestItem[]) => app.core.ingest.submit(items, { source: 'hub', announce: true }),
    stop: app.stop,
  };
};
