import type { OutboundClient } from '../delivery/outbound.js';
import { postJson } from '../delivery/post-json.js';
import type { MiniAppDomain } from './domain.js';
import type { Manifests } from './manifest.js';

/** For the manifest and the event together. */
const ATTEMPT_MS = 5_000;
/** What the event gets at least, however long the manifest took. */
const SHORTEST_MS = 500;

/** Tells a mini app's server of an event. */
export type TellMiniApp = (domain: MiniAppDomain, message: string) => Promise<void>;

/**
 * @returns a function that makes one attempt: finds the webhook in the domain's manifest and posts the signed event
 *   `{header, payload, signature}` to it. It throws ManifestError, or OutboundError for anything but an answer of 2xx.
 */
export const createTeller =
  ({ manifests, outbound }: { readonly manifests: Manifests; readonly outbound: OutboundClient }): TellMiniApp =>
  async (domain, message) => {
    const began = performance.now();
    const { webhookUrl } = await manifests.read(domain, ATTEMPT_MS);
    const left = Math.round(ATTEMPT_MS - (performance.now() - began));
    await postJson(outbound, { url: webhookUrl, body: message, timeoutMs: Math.max(SHORTEST_MS, left) });
  };
