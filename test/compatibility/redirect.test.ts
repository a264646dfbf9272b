import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordRun } from './record.js';
import { runProgram } from './run-program.js';

/** Answers with what it was asked. */
const startEcho = async (): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const seen = { method, url, host: headers.host, key: headers['x-api-key'], body: await text(request) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(seen));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

let service: Awaited<ReturnType<typeof startEcho>>;
let other: Awaited<ReturnType<typeof startEcho>>;
beforeAll(async () => {
  service = await startEcho();
  other = await startEcho();
});
afterAll(() => [service, other].map(({ server }) => server.close()));

test("requests for the vendor's hosts go to the service, with a path before theirs, and no others do", async () => {
  const made = await runProgram('redirect.mjs', `${service.url}/base/`, { other: `${other.url}/elsewhere` });
  const host = new URL(service.url).host;
  const sent = { method: 'GET', url: '/base/v2/farcaster/x?y=1', host, key: 'key', body: '' };
  const posted = { ...sent, method: 'POST', body: '{"a":1}' };
  const elsewhere = { method: 'GET', url: '/elsewhere', host: new URL(other.url).host, body: '' };
  expect(made).toEqual({
    fetch: { value: sent },
    fetchPost: { value: posted },
    undiciFetch: { value: sent },
    undiciRequest: { value: sent },
    get: { value: sent },
    request: { value: sent },
    requestHost: { value: sent },
    axios: { value: sent },
    axiosPost: { value: posted },
    other: { value: elsewhere },
    otherGet: { value: elsewhere },
  });
  const reached = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, 'value' in (made[name] ?? {})]));
  recordRun('axios', reached('axios', 'axiosPost'));
  recordRun('undici', reached('undiciFetch', 'undiciRequest'));
});
