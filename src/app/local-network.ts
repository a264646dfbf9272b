import type { Config } from '../config/config.js';

/** @returns whether this is a local network: development without a hub */
export const isLocalNetwork = ({ profile, hub }: Pick<Config, 'profile' | 'hub'>): boolean =>
  profile === 'dev' && hub === undefined;
