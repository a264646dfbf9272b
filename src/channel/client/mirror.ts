import { createOutbound } from '../../delivery/outbound.js';
import type { RemoteChannels } from '../remote.js';
import { type MirrorDependencies, syncChannels } from './channel-sync.js';
import { syncDetails } from './detail-sync.js';
import { createChannelClient } from './http.js';
import { createRemoteChannels } from './write.js';

const MINUTE_MS = 60_000;

/** A job as the schedule takes it. */
interface MirrorJob {
  readonly name: string;
  readonly everyMs: number;
  run(signal: AbortSignal): Promise<void>;
}

/** The channels of a client, mirrored here. */
export interface ChannelMirror {
  readonly remote: RemoteChannels;
  readonly jobs: readonly MirrorJob[];
}

/** @returns undefined where this server decides about its channels (`CASTELLAN_CHANNEL_SOURCE=local`) */
export const createChannelMirror = (
  { source, clientUrl }: { readonly source: 'local' | 'client'; readonly clientUrl: string },
  parts: Omit<MirrorDependencies, 'client'>,
): ChannelMirror | undefined => {
  if (source === 'local') return undefined;
  // The operator chose the address, which may be on this machine.
  const outbound = createOutbound({ allowLoopback: true });
  const client = createChannelClient({ base: clientUrl, outbound, clock: parts.clock });
  const deps = { ...parts, client };
  return {
    remote: createRemoteChannels(client, parts.clock),
    jobs: [
      { name: 'mirror-channels', everyMs: 15 * MINUTE_MS, run: (signal) => syncChannels(deps, signal) },
      { name: 'mirror-channel-members', everyMs: 5 * MINUTE_MS, run: (signal) => syncDetails(deps, signal) },
    ],
  };
};
