import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleParentMessages } from './child.js';

/** Upper limit of a server in Node: it sends prepared bytes, in a separate process. */
export type LimitInput =
  /** Copies the responses of the service at this port; @returns the port where it serves them. */
  | { readonly copy: { readonly port: number; readonly apiKey: string; readonly paths: readonly string[] } }
  /** Returns seconds of processor time so far. */
  | 'cpu';

/** Headers of the service's response that `node:http` does not set itself. */
const OWN_HEADERS = ['content-type', 'content-length', 'x-request-id'];

/** `fetch` asks for compressed bodies, whose length is not that of the body it returns. */
const PLAIN = { 'accept-encoding': 'identity' };

interface Answer {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const answers = new Map<string, Answer>();
let server: Server | undefined;

const copy = async (port: number, apiKey: string, path: string): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': apiKey, ...PLAIN } });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  const headers = Object.fromEntries(OWN_HEADERS.map((name) => [name, response.headers.get(name) ?? '']));
  answers.set(path, { headers, body: Buffer.from(await response.arrayBuffer()) });
};

const listen = (): Promise<number> => {
  const created = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, answer.headers).end(answer.body);
  });
  server = created;
  return new Promise((done, fail) => {
    created.once('error', fail);
    created.listen(0, '127.0.0.1', () => done((created.address() as AddressInfo).port));
  });
};

handleParentMessages<LimitInput, number>(async (input) => {
  if (input === 'cpu') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  answers.clear();
  const { port, apiKey, paths } = input.copy;
  for (const path of paths) await copy(port, apiKey, path);
  if (server === undefined) return listen();
  return (server.address() as AddressInfo).port;
});

process.on('disconnect', () => process.exit());
