import type { ServerResponse } from 'node:http';
import { encodeHeader, encodePayload, encodeSignature } from '@farcaster/jfs';
import { createVerifyAppKeyWithHub, type ParseWebhookEventResult, parseWebhookEvent } from '@farcaster/miniapp-node';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Network } from './network.js';
import { type Received, startReceiver } from './receiver.js';
import { registerAccount } from './signer.js';

/** An event that the mini app's server accepted, with its token if it has one. */
export type ReceivedEvent = ParseWebhookEventResult & {
  readonly event: { readonly notificationDetails?: { readonly url: string; readonly token: string } };
};

/**
 * A mini app's own server: a manifest, and a webhook that parses each event with the protocol's package, which asks
 * this service's hub endpoint about the key.
 */
export interface MiniApp {
  /** `localhost:port`. */
  readonly domain: string;
  /** Events in order of arrival. */
  readonly heard: readonly ReceivedEvent[];
  /** All requests, including rejected ones. */
  readonly received: readonly Received[];
  /** Sets the webhook's response. */
  answer: (response: ServerResponse, heard: ReceivedEvent) => void;
  stop(): Promise<void>;
}

/** @returns the domain's claim by an account, signed by its custody wallet. */
export const associate = async (wallet: PrivateKeyAccount, fid: number, domain: string) => {
  const header = encodeHeader({ fid, type: 'custody', key: wallet.address });
  const payload = encodePayload({ domain });
  const signature = await wallet.signMessage({ message: `${header}.${payload}` });
  return { header, payload, signature: encodeSignature(Buffer.from(signature.slice(2), 'hex')) };
};

/** @param webhookUrl in the manifest, instead of the mini app's own server */
export const startMiniApp = async (network: Network, ownerFid: number, webhookUrl?: string): Promise<MiniApp> => {
  const { account } = await registerAccount(network, ownerFid);
  const heard: ReceivedEvent[] = [];
  let manifest = '';
  const receiver = await startReceiver(async ({ path, body }, response) => {
    if (path === '/.well-known/farcaster.json') {
      response.setHeader('content-type', 'application/json').end(manifest);
      return;
    }
    const parsed = (await parseWebhookEvent(
      JSON.parse(body),
      createVerifyAppKeyWithHub(network.url, { headers: { 'x-api-key': network.apiKey } }),
    ).catch((error: unknown) => error)) as ReceivedEvent | Error;
    if (parsed instanceof Error) {
      response.writeHead(400).end(parsed.message);
      return;
    }
    heard.push(parsed);
    app.answer(response, parsed);
  });
  const domain = `localhost:${receiver.port}`;
  manifest = JSON.stringify({
    accountAssociation: await associate(account, ownerFid, domain),
    miniapp: { version: '1', name: 'Test', webhookUrl: webhookUrl ?? `http://${domain}/webhook` },
  });
  const app: MiniApp = {
    domain,
    heard,
    received: receiver.received,
    answer: (response) => void response.end(),
    stop: receiver.stop,
  };
  return app;
};
