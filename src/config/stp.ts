import type { ConfigReader } from './reader.js';
import type { ConfiguredFactory } from './stp-variable.js';

/** Subscription tokens (STP). */
export interface StpSettings {
  /** In addition to the public ones. */
  readonly factories: readonly ConfiguredFactory[];
  /** Without a trailing slash. */
  readonly ipfsGateway: string;
}

const PUBLIC_GATEWAY = 'https://ipfs.io';

export const readStpSettings = (reader: ConfigReader): StpSettings => ({
  factories: reader.get('CASTELLAN_STP_FACTORIES'),
  ipfsGateway: (reader.get('CASTELLAN_IPFS_GATEWAY') ?? PUBLIC_GATEWAY).replace(/\/+$/, ''),
});
