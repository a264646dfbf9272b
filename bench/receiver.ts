import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { privateKeyToAccount } from 'viem/accounts';
import { handleParentMessages } from './child.js';

/** A mini app's server on loopback, in a separate process: a manifest, and a webhook that accepts everything. */
export interface ReceiverResponse {
  readonly port: number;
  /** Events received so far. */
  readonly events: number;
}

/** An account outside the benchmark's network; its wallet signs the manifest. */
const OWNER = { fid: 2_000_000_000, wallet: privateKeyToAccount(`0x${'42'.repeat(32)}`) };

const base64url = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64url');

const manifestOf = async (domain: string): Promise<string> => {
  const header = base64url(JSON.stringify({ fid: OWNER.fid, type: 'custody', key: OWNER.wallet.address }));
  const payload = base64url(JSON.stringify({ domain }));
  const signed = await OWNER.wallet.signMessage({ message: `${header}.${payload}` });
  const accountAssociation = { header, payload, signature: base64url(Buffer.from(signed.slice(2), 'hex')) };
  return JSON.stringify({ accountAssociation, miniapp: { webhookUrl: `http://${domain}/webhook` } });
};

let manifest = '';
let events = 0;
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const isEvent = request.method === 'POST';
    if (isEvent) events++;
    const body = isEvent ? '{}' : manifest;
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
const listening = new Promise<number>((done) => {
  server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
}).then(async (port) => {
  manifest = await manifestOf(`localhost:${port}`);
  return port;
});
// Only the channel to the parent keeps the process alive.
server.unref();

handleParentMessages<Record<string, never>, ReceiverResponse>(async () => ({ port: await listening, events }));
