import type { OutboundClient } from '../delivery/outbound.js';
import { postJson } from '../delivery/post-json.js';
import type { MiniAppDomain } from './domain.js';
import type { Manifests } from './manifest.js';

/** For manifest and event together. */
const ATTEMPT_MS = 5_000;
/** Minimum time for the event, after a slow manifest. */
const SHORTEST_MS = 500;

/** Posts an event to a mini app's server. */
export type SendWebhook = (domain: MiniAppDomain, message: string) => Promise<void>;

/**
 * @returns a function that makes one attempt: it finds the webhook in the domain's manifest and posts the signed event
 *   `{header, payload, signature}` to it. It throws ManifestError, or OutboundError for anything but a 2xx response.
 */
export const createWebhookSender =
  ({ manifests, outbound }: { readonly manifests: Manifests; readonly outbound: OutboundClient }): SendWebhook =>
  async (domain, message) => {
    const began = performance.now();
    const { webhookUrl } = await manifests.read(domain, ATTEMPT_MS);
    const left = Math.round(ATTEMPT_MS - (performance.now() - began));
    await postJson(outbound, { url: webhookUrl, body: message, timeoutMs: Math.max(SHORTEST_MS, left) });
  };
