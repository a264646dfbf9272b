import type { Config } from '../config/config.js';
import { createHttpNameRegistry } from './http-registry.js';
import { createLocalNameRegistry, type LocalNameRegistry, NameRegistryError } from './local-registry.js';
import type { NameRegistry } from './registry.js';
import { rejectedName } from './rejection.js';

/**
 * @returns the configured registry, or in a local network its own, which the service then offers to others, too;
 *   neither in other services
 */
export const createNameRegistry = (
  { accounts, profile, hub, hubNetwork }: Pick<Config, 'accounts' | 'profile' | 'hub' | 'hubNetwork'>,
  parts: Parameters<typeof createLocalNameRegistry>[0],
): { readonly names: NameRegistry | undefined; readonly localNames: LocalNameRegistry | undefined } => {
  const url = accounts.nameRegistryUrl;
  if (url !== undefined) return { names: createHttpNameRegistry(url), localNames: undefined };
  if (profile !== 'dev' || hub || hubNetwork !== 'devnet') return { names: undefined, localNames: undefined };
  const local = createLocalNameRegistry(parts);
  const transfer: NameRegistry['transfer'] = async (request) => {
    try {
      return await local.transfer(request);
    } catch (error) {
      throw error instanceof NameRegistryError ? rejectedName(error.code, request.name) : error;
    }
  };
  return { names: { current: local.current, transfer }, localNames: local };
};
