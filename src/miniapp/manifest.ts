import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.js';
import type { OutboundClient } from '../delivery/outbound.js';
import { targetError } from '../delivery/target.js';
import { isObject } from '../is-object.js';
import type { Networks } from '../onchain/network.js';
import type { MiniAppDomain } from './domain.js';
import { freshSeconds } from './freshness.js';
import { ManifestError } from './manifest-error.js';
import { fetchManifest, readManifest } from './manifest-reader.js';

/** What hosts use of a mini app's manifest. */
export interface Manifest {
  /** Receives the events of the mini app. */
  readonly webhookUrl: URL;
}

export type Manifests = ReturnType<typeof createManifests>;

type CachedManifest = { readonly manifest: Manifest } | { readonly error: ManifestError };

const MAX_RETAINED = 10_000;
/** A missing or broken manifest is fetched again soon, because its owner may be fixing it. */
const NEGATIVE_SECONDS = 15;

/** The section `miniapp` was formerly called `frame`; both may be present and are then equal. */
const webhookOf = ({ miniapp, frame }: Record<string, unknown>): unknown => [miniapp, frame].find(isObject)?.webhookUrl;

const readWebhook = (value: unknown, outbound: OutboundClient): URL => {
  if (value === undefined || value === null || value === '') {
    throw new ManifestError('The manifest names no webhookUrl: the mini app takes no events.', {
      isAbsent: true,
    });
  }
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const problem = url ? targetError(url, outbound) : 'is not a URL.';
  if (!url || problem !== undefined) throw new ManifestError(`The webhookUrl in the manifest ${problem}`);
  return url;
};

/** @returns a reader that caches manifests as long as their headers allow */
export const createManifests = (dependencies: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  /** Chains that verify signatures of contract wallets. */
  readonly networks: Networks;
}) => {
  const { outbound } = dependencies;
  // `max` would reserve the memory of all entries at once.
  const cached = new LRUCache<string, CachedManifest>({ maxSize: MAX_RETAINED, sizeCalculation: () => 1 });
  const reading = new Map<string, Promise<CachedManifest>>();

  const load = async (domain: MiniAppDomain, timeoutMs: number): Promise<{ manifest: Manifest; seconds: number }> => {
    const response = await fetchManifest(domain, (request) =>
      outbound.request({ ...request, method: 'GET', timeoutMs }),
    );
    const { value, headers } = await readManifest(dependencies, domain, response);
    return { manifest: { webhookUrl: readWebhook(webhookOf(value), outbound) }, seconds: freshSeconds(headers) };
  };

  const renew = async (domain: MiniAppDomain, timeoutMs: number): Promise<CachedManifest> => {
    try {
      const { manifest, seconds } = await load(domain, timeoutMs);
      cached.set(domain.name, { manifest }, { ttl: seconds * 1000 });
      return { manifest };
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      cached.set(domain.name, { error }, { ttl: NEGATIVE_SECONDS * 1000 });
      return { error };
    } finally {
      reading.delete(domain.name);
    }
  };

  return {
    /**
     * @param timeoutMs for a manifest that is not cached
     * @throws ManifestError
     */
    read: async (domain: MiniAppDomain, timeoutMs: number): Promise<Manifest> => {
      let found: CachedManifest | Promise<CachedManifest> | undefined =
        cached.get(domain.name) ?? reading.get(domain.name);
      if (found === undefined) {
        found = renew(domain, timeoutMs);
        reading.set(domain.name, found);
      }
      const result = await found;
      if ('error' in result) throw result.error;
      return result.manifest;
    },
  };
};
