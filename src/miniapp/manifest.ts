import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.js';
import type { OutboundClient, OutboundResponse } from '../delivery/outbound.js';
import { OutboundError } from '../delivery/outbound-error.js';
import { targetError } from '../delivery/target.js';
import { AppError } from '../error.js';
import type { Networks } from '../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { associationError } from './account-association.js';
import type { MiniAppDomain } from './domain.js';
import { freshSeconds } from './freshness.js';
import { parseJsonObject } from './json.js';
import { ManifestError } from './manifest-error.js';

/** The used parts of a mini app's manifest (Mini App specification, "/.well-known/farcaster.json"). */
export interface Manifest {
  /** Receives the events of the mini app. */
  readonly webhookUrl: URL;
}

export type Manifests = ReturnType<typeof createManifests>;

type Kept = { readonly manifest: Manifest } | { readonly error: ManifestError };

const PATH = '/.well-known/farcaster.json';
/** Real manifests have a few kilobytes. */
const MAX_BYTES = 128 * 1024;
const MAX_RETAINED = 10_000;
/** A missing or broken manifest is fetched again soon, because its owner may be fixing it. */
const NEGATIVE_SECONDS = 15;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isEncoded = (value: unknown): value is EncodedJsonSocialSignature =>
  isObject(value) && ['header', 'payload', 'signature'].every((part) => typeof value[part] === 'string');

/** The section `miniapp` was formerly called `frame`; both may be present and are then equal. */
const webhookOf = ({ miniapp, frame }: Record<string, unknown>): unknown => [miniapp, frame].find(isObject)?.webhookUrl;

const readWebhook = (value: unknown, outbound: OutboundClient): URL => {
  if (value === undefined || value === null || value === '') {
    throw new ManifestError("The domain's manifest names no webhookUrl: the mini app takes no events.", {
      isAbsent: true,
    });
  }
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const problem = url ? targetError(url, outbound) : 'is not a URL.';
  if (!url || problem !== undefined) throw new ManifestError(`The webhookUrl in the domain's manifest ${problem}`);
  return url;
};

const checkStatus = ({ status }: OutboundResponse): void => {
  if (status === 404 || status === 410) {
    throw new ManifestError(`The domain has no mini app manifest: ${PATH} answered ${status}.`, { isAbsent: true });
  }
  if (status < 200 || status > 299) throw new ManifestError(`The domain's manifest answered ${status}.`);
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
  const kept = new LRUCache<string, Kept>({ maxSize: MAX_RETAINED, sizeCalculation: () => 1 });
  const reading = new Map<string, Promise<Kept>>();

  const ask = async (domain: MiniAppDomain, timeoutMs: number): Promise<OutboundResponse> => {
    const url = new URL(`${domain.origin}${PATH}`);
    try {
      return await outbound.request({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        timeoutMs,
        maxBytes: MAX_BYTES,
      });
    } catch (error) {
      if (error instanceof OutboundError)
        throw new ManifestError(`The domain's manifest cannot be read. ${error.message}`, { cause: error });
      throw error;
    }
  };

  const check = async (domain: MiniAppDomain, association: EncodedJsonSocialSignature): Promise<void> => {
    const problem = await associationError(dependencies, domain.name, association).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new ManifestError(`The manifest's accountAssociation cannot be checked. ${error.message}`, {
        cause: error,
      });
    });
    if (problem !== undefined) throw new ManifestError(`The manifest's accountAssociation ${problem}`);
  };

  const load = async (domain: MiniAppDomain, timeoutMs: number): Promise<{ manifest: Manifest; seconds: number }> => {
    const response = await ask(domain, timeoutMs);
    checkStatus(response);
    const value = parseJsonObject(response.body);
    if (value === undefined) throw new ManifestError("The domain's manifest is not a JSON object.");
    if (!isEncoded(value.accountAssociation)) {
      throw new ManifestError("The domain's manifest has no accountAssociation {header, payload, signature}.");
    }
    await check(domain, value.accountAssociation);
    const manifest = { webhookUrl: readWebhook(webhookOf(value), outbound) };
    return { manifest, seconds: freshSeconds(response.headers) };
  };

  const renew = async (domain: MiniAppDomain, timeoutMs: number): Promise<Kept> => {
    try {
      const { manifest, seconds } = await load(domain, timeoutMs);
      kept.set(domain.name, { manifest }, { ttl: seconds * 1000 });
      return { manifest };
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      kept.set(domain.name, { error }, { ttl: NEGATIVE_SECONDS * 1000 });
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
      let found: Kept | Promise<Kept> | undefined = kept.get(domain.name) ?? reading.get(domain.name);
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
