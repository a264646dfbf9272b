import type { Hydrate } from '../hydrate/hydrate.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metric.js';
import type { Database } from '../store/database.js';
import type { Authenticator } from './auth.js';
import type { HubServices } from './hub/hub-service.js';
import type { RateLimiter } from './rate-limit.js';

/** One thing that must hold before requests should be sent here. */
export interface ReadinessCheck {
  /** A word for the answer of `/health/ready`: `database`, `migrations`, `ingest`. */
  readonly name: string;
  /** @returns undefined when all is well, else what is wrong, in words for an operator. May also throw. */
  check(): Promise<string | undefined>;
}

/** What handlers work with. The composition root fills it; parts that need more add their members here. */
export interface Services {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unix time in milliseconds; tests turn it. */
  readonly clock: () => number;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  /** Where clients reach the service, without a trailing slash; addresses we hand out begin with it. */
  readonly publicUrl: string;
  /** Key of the cursors' HMAC, derived from the master key. */
  readonly cursorKey: Uint8Array;
  readonly readiness: readonly ReadinessCheck[];
  readonly hub: HubServices;
  readonly hydrate: Hydrate;
}
