import { randomBytes } from 'node:crypto';
import { createKey, ensureDefaultAccess } from '../../src/access/key.js';
import { createAuthenticator } from '../../src/api/http/auth.js';
import { createBrowserClients } from '../../src/api/http/browser-client.js';
import type { Services } from '../../src/api/http/service.js';
import { Admission } from '../../src/api/limit/admission.js';
import { createRateLimiter, type KeylessReadLimits } from '../../src/api/limit/rate-limit.js';
import { buildServer, type Server, type ServerOptions } from '../../src/api/server.js';
import { createReadinessHistory } from '../../src/api/system/readiness-history.js';
import { noopMeter } from '../../src/billing/usage/meter.js';
import { MasterKey } from '../../src/config/secret.js';
import type { Database } from '../../src/db/database.js';
import { createLog } from '../../src/log.js';
import { createMetrics } from '../../src/metric.js';
import { SCOPES, type Scope } from '../../src/schema/scope.js';
import { createQuickAuth } from '../../src/sign-in/quick-auth.js';
import { createSignInRelay } from '../../src/sign-in/relay.js';
import { selectRefusedItemCount } from '../../src/store/protocol/refused-item.js';
import { openTestDatabase } from './database.js';
import { openTestHub } from './hub.js';
import { NO_NETWORKS } from './no-network.js';
import { openTestReads } from './read-cache.js';

/** The HTTP interface on its own database, without ingest. */
export interface Shell {
  readonly server: Server;
  readonly services: Services;
  readonly db: Database;
  /** Lines of the log so far. */
  readonly log: Record<string, unknown>[];
  /** Moves the clock of keys and cursors. */
  advance(milliseconds: number): void;
  /** @returns a new key, with all scopes by default. */
  key(scopes?: readonly Scope[]): Promise<string>;
  stop(): Promise<void>;
}

export const startShell = async (
  options: ServerOptions & {
    readonly rateLimitPerMinute?: number;
    readonly publicReads?: Services['publicReads'];
    readonly keylessReads?: KeylessReadLimits;
    readonly services?: Partial<Services>;
  } = {},
): Promise<Shell> => {
  const { db, drop } = await openTestDatabase();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) });
  let offset = 0;
  const clock = () => Date.now() + offset;
  const cursorKey = randomBytes(32);
  const masterKey = MasterKey.parse(MasterKey.generate()) as MasterKey;
  const publicUrl = 'http://127.0.0.1:3000';
  const signIn = { db, clock, networks: NO_NETWORKS };
  const limits = { inWork: 32, inWorkPerKey: 8, longPerKey: 128, waiting: 1024, waitingPerKey: 256 };
  const admission = new Admission(limits);
  const services = {
    db,
    log,
    metrics: createMetrics(
      () => db.load(),
      () => selectRefusedItemCount(db),
    ),
    clock,
    authenticator: createAuthenticator({ db, log, clock }),
    meter: noopMeter,
    dialect: 'neutral',
    browserClients: createBrowserClients({ db, clock, isLocal: false }),
    rateLimiter: createRateLimiter({
      perMinute: options.rateLimitPerMinute ?? 0,
      planLimit: () => null,
      keylessReads: options.keylessReads ?? { perAddress: 1000, total: 1000 },
    }),
    publicReads: options.publicReads ?? 'off',
    admission: { work: admission, outside: admission },
    publicUrl,
    cursorKey: { sign: cursorKey, accept: [cursorKey] },
    signInDomains: 'any',
    quickAuth: createQuickAuth({ ...signIn, masterKey, publicUrl }),
    signInRelay: createSignInRelay(signIn),
    readiness: [],
    readinessHistory: createReadinessHistory(clock),
    hub: openTestHub(db),
    reads: openTestReads(db, 0, { clock }).reads,
    ...options.services,
    // Ingest belongs to the operations of other tests.
  } as unknown as Services;
  await ensureDefaultAccess(db, undefined, new Date());
  const server = buildServer(services, { validateResponses: true, ...options });
  await server.fastify.ready();
  return {
    server,
    services,
    db,
    log: lines,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    key: async (scopes = SCOPES) => (await createKey(db, { name: 'test', scopes, now: new Date(clock()) })).secret,
    stop: async () => {
      await server.stop();
      await services.authenticator.stop();
      admission.stop();
      await drop();
    },
  };
};
