import type { MasterKey } from '../config/secret.js';
import type { Database } from '../db/database.js';
import type { DeliveryMeter } from '../delivery/meter.js';
import type { OutboundClient } from '../delivery/outbound.js';
import type { Networks } from '../onchain/network.js';
import type { Dialect } from '../schema/wire-names.js';
import { createCampaignOutbox } from './campaign/outbox.js';
import type { CampaignDependencies } from './campaign/publish.js';
import { createManifests } from './manifest.js';
import { createHostOutbox } from './outbox.js';
import { createPushOutbox } from './push.js';
import { createWebhookSender } from './webhook.js';

/** Both halves: this server as a host of mini apps, and as the backend of mini apps in other hosts. */
export const createMiniAppService = (dependencies: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  readonly networks: Networks;
  readonly masterKey: MasterKey;
  readonly dialect: Dialect;
  /** The URL to which mini apps send notifications, in each of its forms. */
  readonly notifyUrls: readonly string[];
  /** Whether campaigns to many tokens are sent after the request. */
  readonly isAsync: boolean;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Milliseconds between two polls for what is due; a second unless given. */
  readonly pollMs?: number | undefined;
  /** Milliseconds until a failed call of a campaign is repeated; a second unless given. */
  readonly retryMs?: number | undefined;
  /** Called with internal errors, such as an unavailable database, and with what could not be done. */
  readonly failed: (error: unknown, what: string) => void;
}) => {
  const { db, outbound, clock, isAsync } = dependencies;
  const failed =
    (what: string) =>
    (error: unknown): void =>
      dependencies.failed(error, what);
  const manifests = createManifests(dependencies);
  const hostOutbox = createHostOutbox({
    ...dependencies,
    sendWebhook: createWebhookSender({ manifests, outbound }),
    rule: outbound,
    failed: failed('host events could not be looked after'),
  });
  const pushOutbox = createPushOutbox({ ...dependencies, failed: failed('notifications could not be pushed') });
  const outbox = createCampaignOutbox({ ...dependencies, failed: failed('campaigns could not be sent') });
  const all = [hostOutbox, pushOutbox, outbox];
  return {
    hostOutbox,
    pushOutbox,
    campaigns: { db, rule: outbound, manifests, outbox, isAsync, clock } satisfies CampaignDependencies,
    start: (): void => {
      for (const one of all) one.start();
    },
    /** Waits for the calls in progress. */
    stop: async (): Promise<void> => {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
};
