import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TrackedResponse, whenClosed } from './tracked-response.js';

const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

let server: Server;
let ends: string[];
beforeEach(async () => {
  ends = [];
  server = createServer({ ServerResponse: TrackedResponse }, ({ url }, response) => {
    whenClosed(response, () => ends.push('closed'));
    response.end(url === '/large' ? LARGE : 'small');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const get = (path: string) =>
  request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path, agent: false }).end();

test('the end of a response is reported exactly once', async () => {
  get('/').on('response', (response) => response.resume());
  await expect.poll(() => ends).toEqual(['closed']);
});

test('the end of a response is reported exactly once when the client disconnects', async () => {
  const asking = get('/large').on('error', () => undefined);
  asking.on('response', (response) => {
    response.on('error', () => undefined);
    asking.destroy();
  });
  await expect.poll(() => ends).toEqual(['closed']);
});
