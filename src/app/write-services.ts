import type { WriteServices } from '../api/http/service.js';
import type { SiblingBroadcast, SiblingLink } from '../cache/sibling.js';
import { createChannelService } from '../channel/client/service.js';
import type { Config } from '../config/config.js';
import type { Networks } from '../onchain/network.js';
import { createSigners } from '../signer/signers.js';
import { createWriteAndInvalidate } from '../store/invalidating-transaction.js';
import { createWriter } from '../write/writer.js';
import type { Base } from './base.js';
import type { HubConnection } from './hub-services.js';
import type { ServiceCore } from './service-core.js';

/** What writes, and makes the sibling processes know what was written. */
export const createWriteServices = (
  config: Config,
  { db, log, clock, timings, freshness, changed, siblings }: Base,
  parts: {
    readonly core: ServiceCore;
    readonly hub: HubConnection;
    readonly link: SiblingLink | undefined;
    readonly networks: Networks;
  },
) => {
  const { core, hub, link, networks } = parts;
  const writer = createWriter({
    ...{ db, submit: hub.submit, isForwarded: hub.isForwarded, network: core.network, clock },
    timeoutMs: timings.writeMs ?? (() => config.writeTimeoutSeconds * 1000),
    isIndexed: core.filter?.accepts,
    wroteAhead: (latest) => siblings.broadcast({ latest }),
  });
  const learn = ({ invalidation, latest }: SiblingBroadcast): void => {
    if (invalidation) freshness.applyInvalidation(invalidation);
    if (latest !== undefined) writer.learnLatest(latest);
  };
  // Writes wait only for processes through which their clients read.
  link?.receive(learn, config.processes.roles.has('api'));
  const writeAndInvalidate = createWriteAndInvalidate({ db, changed });
  const channels = createChannelService(config.channels, { db, clock, writeAndInvalidate, changed, log, writer });
  const services: WriteServices = {
    writer,
    signers: createSigners({ db, networks, masterKey: config.masterKey, clock }),
    writeAndInvalidate,
    siblingsUpToDate: () => siblings.delivered(),
    channels: channels.dependencies,
  };
  return { services, jobs: channels.jobs };
};
