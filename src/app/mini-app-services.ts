import { notifyUrls } from '../api/app-host/notify-url.js';
import type { MiniAppServices } from '../api/http/service.js';
import type { Config } from '../config/config.js';
import { deliveryMeter } from '../metric.js';
import { createMiniAppService } from '../miniapp/service.js';
import type { Networks } from '../onchain/network.js';
import type { Base } from './base.js';

/** This server as a host of mini apps, and as the backend of mini apps in other hosts. */
export const createMiniAppServices = (
  { masterKey, wireNames, publicUrl, isNotificationAsync }: Config,
  { db, outbound, clock, metrics, log, timings, tracer }: Base,
  networks: Networks,
) => {
  const { hostOutbox, pushOutbox, campaigns, start, stop } = createMiniAppService({
    ...{ db, outbound, networks, masterKey, clock, dialect: wireNames, isAsync: isNotificationAsync },
    notifyUrls: notifyUrls(publicUrl),
    ...{ pollMs: timings.pollMs, retryMs: timings.campaignMs },
    meter: deliveryMeter(metrics, tracer),
    failed: (error, what) => log.error({ err: error }, `${what}; they are tried again`),
  });
  const services: MiniAppServices = { hostOutbox, pushOutbox, campaigns };
  return { services, start, stop };
};
