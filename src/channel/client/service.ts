import { createOutbound } from '../../delivery/outbound.js';
import { MINUTE_MS } from '../../duration.js';
import type { Writer } from '../../write/writer.js';
import type { ChannelDependencies } from '../channel.js';
import { type MirrorDependencies, syncChannels } from './channel-sync.js';
import { syncDetails } from './detail-sync.js';
import { createChannelClient } from './http.js';
import { createRemoteChannels } from './write.js';

/**
 * Mirrors the channels of a client.
 * @returns undefined where this server decides about its channels (`CASTELLAN_CHANNEL_SOURCE=local`)
 */
export const createChannelMirror = (
  { source, clientUrl }: { readonly source: 'local' | 'client'; readonly clientUrl: string },
  parts: Omit<MirrorDependencies, 'client'>,
) => {
  if (source === 'local') return undefined;
  // The operator chose the address, which may be on this machine.
  const outbound = createOutbound({ allowLoopback: true });
  const client = createChannelClient({ base: clientUrl, outbound, clock: parts.clock });
  const deps = { ...parts, client };
  return {
    remote: createRemoteChannels(client, parts.clock),
    jobs: [
      { name: 'mirror-channels', everyMs: 15 * MINUTE_MS, run: (signal: AbortSignal) => syncChannels(deps, signal) },
      {
        name: 'mirror-channel-members',
        everyMs: 5 * MINUTE_MS,
        run: (signal: AbortSignal) => syncDetails(deps, signal),
      },
    ],
  };
};

type MirrorParts = Parameters<typeof createChannelMirror>[1];

/**
 * Follows, invites and members of channels, and the jobs that keep mirrored ones up to date.
 * @param config `isProtocolWritten`: whether follows of the network's own channels are written
 */
export const createChannelService = (
  config: Parameters<typeof createChannelMirror>[0] & { readonly isProtocolWritten: boolean },
  parts: MirrorParts & Pick<ChannelDependencies, 'writeAndInvalidate'> & { readonly writer: Writer },
) => {
  const { db, clock, writeAndInvalidate, writer } = parts;
  const mirror = createChannelMirror(config, parts);
  return {
    dependencies: {
      db,
      clock,
      writeAndInvalidate,
      remote: mirror?.remote,
      writer: config.isProtocolWritten ? writer : undefined,
    },
    jobs: mirror?.jobs ?? [],
  };
};
