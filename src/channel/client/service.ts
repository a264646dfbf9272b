import type { Writer } from '../../write/writer.js';
import type { ChannelDependencies } from '../channel.js';
import { type ChannelMirror, createChannelMirror } from './mirror.js';

type MirrorParts = Parameters<typeof createChannelMirror>[1];

/** Follows, invites and members of channels, and the jobs that keep mirrored ones up to date. */
export interface ChannelService {
  readonly dependencies: ChannelDependencies;
  readonly jobs: ChannelMirror['jobs'];
}

/** @param config `isProtocolWritten`: whether follows of the network's own channels are written */
export const createChannelService = (
  config: Parameters<typeof createChannelMirror>[0] & { readonly isProtocolWritten: boolean },
  parts: MirrorParts & Pick<ChannelDependencies, 'change'> & { readonly writer: Writer },
): ChannelService => {
  const { db, clock, change, writer } = parts;
  const mirror = createChannelMirror(config, parts);
  return {
    dependencies: {
      db,
      clock,
      change,
      remote: mirror?.remote,
      writer: config.isProtocolWritten ? writer : undefined,
    },
    jobs: mirror?.jobs ?? [],
  };
};
