import { createAuthenticator } from '../api/http/auth.js';
import { createBrowserClients } from '../api/http/browser-client.js';
import { RESPONSE_TIMEOUTS } from '../api/http/response-timeout.js';
import type { RequestServices } from '../api/http/service.js';
import { createRequestLog } from '../api/request-log.js';
import type { Plans } from '../billing/plan/plan.js';
import type { Config } from '../config/config.js';
import type { Base } from './base.js';
import type { ComponentList } from './component.js';
import { isLocalNetwork } from './local-network.js';
import { openAdmission } from './open-admission.js';
import { openRateLimiter } from './open-rate-limiter.js';

/** Who may send how many requests, and what their responses have in common. */
export const openRequestServices = async (config: Config, { db, log, metrics, clock, timings }: Base, plans: Plans) => {
  const rateLimiter = await openRateLimiter(config, { db, plans, log, reportMs: timings.rateLimitMs });
  const admission = openAdmission(config, { registry: metrics.registry, log });
  const authenticator = createAuthenticator({ db, log, clock });
  const requestLog = config.keepsRequests
    ? createRequestLog({
        ...{ db, clock, flushMs: timings.usageMs },
        failed: (error) => log.error({ err: error }, 'requests could not be written to the request log'),
      })
    : undefined;
  const services: RequestServices = {
    authenticator,
    browserClients: createBrowserClients({ db, clock, isLocal: isLocalNetwork(config) }),
    rateLimiter,
    admission,
    publicReads: config.publicReads.kind,
    dialect: config.wireNames,
    publicUrl: config.publicUrl,
    variables: config.variables,
    isDevelopment: config.profile === 'dev',
    cursorKey: { sign: config.masterKey.derive('cursor'), accept: config.masterKey.deriveAll('cursor') },
    responseTimeouts: { ...RESPONSE_TIMEOUTS, ...timings.responses },
    ...(requestLog && { requestLog }),
  };
  const components: ComponentList = [
    { name: 'admission', stop: admission.stop },
    { name: 'rate limiter', stop: rateLimiter.close },
    { name: 'authenticator', stop: authenticator.stop },
  ];
  return { services, components };
};
