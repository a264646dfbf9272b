import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleParentMessages } from './child.js';

/** A receiver of webhooks in a separate process. */
export interface EventReceipts {
  readonly port: number;
  /** Unix milliseconds at which each event arrived first, by the id of its row in the log. */
  readonly arrivals: ReadonlyMap<number, number>;
}

const arrivals = new Map<number, number>();
const server = createServer((request, response) => {
  const at = Date.now();
  request.resume().once('end', () => {
    const row = Number.parseInt(String(request.headers['x-service-event-id']), 10);
    if (!arrivals.has(row)) arrivals.set(row, at);
    response.end();
  });
});
const listening = new Promise<number>((done) => {
  server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
});
// Only the channel to the parent keeps the process alive.
server.unref();

handleParentMessages<Record<string, never>, EventReceipts>(async () => ({ port: await listening, arrivals }));
