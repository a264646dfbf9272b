// Sends the requests of a program for the hosts of the vendor to a Castellan service: `castellan redirect` prints this
// module for `node --import`. It uses nothing but Node itself, because it runs in the program.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { urlToHttpOptions } from 'node:url';

/** Hosts that clients of the vendor have in their code. */
const HOSTS: ReadonlySet<string | undefined> = new Set([
  'api.neynar.com',
  'sdk-api.neynar.com',
  'hub-api.neynar.com',
  'snapchain-api.neynar.com',
]);

// biome-ignore lint/style/noProcessEnv: it runs in another program, whose environment names the service
const service = new URL(process.env.CASTELLAN_URL ?? 'http://127.0.0.1:3000');
const prefix = service.pathname.replace(/\/$/, '');

type Callback = (response: IncomingMessage) => void;
type Arguments = [url: string | URL | RequestOptions, options?: RequestOptions | Callback, callback?: Callback];

const original = { 'http:': http.request, 'https:': https.request };

const withoutHost = (headers: RequestOptions['headers']): RequestOptions['headers'] =>
  headers === undefined || Array.isArray(headers)
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host'));

/** Replaces `request` and `get` of a module; axios, got and node-fetch end there. */
const redirectModule = (module: typeof http | typeof https, request: typeof http.request): void => {
  const send = (...args: Arguments): ClientRequest => {
    const [first, ...rest] = args;
    const isUrl = typeof first === 'string' || first instanceof URL;
    const more = isUrl && typeof rest[0] === 'object' ? rest[0] : {};
    const options = isUrl ? { ...urlToHttpOptions(new URL(first)), ...more } : first;
    if (!HOSTS.has(options.hostname ?? options.host?.split(':', 1)[0])) return request(...(args as [URL]));
    const { host: _, port: _port, agent: _agent, path = '/', headers, ...kept } = options;
    const target = { protocol: service.protocol, hostname: service.hostname, port: service.port };
    const callback = rest.find((one) => typeof one === 'function');
    const sent = { ...kept, ...target, path: `${prefix}${path}`, headers: withoutHost(headers) };
    return original[service.protocol as keyof typeof original](sent as RequestOptions, callback);
  };
  Object.assign(module, {
    request: send,
    get: (...args: Arguments): ClientRequest => send(...args).end(),
  });
};

interface DispatchOptions {
  readonly origin?: string | URL;
  readonly path: string;
}
interface Dispatcher {
  dispatch(options: DispatchOptions, handler: unknown): boolean;
}

/** Where `fetch` and the package undici look for what sends their requests: undici before 8 (Node.js 24), and from 8 on. */
const DISPATCHERS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/** Replaces what sends the requests of `fetch` and undici. */
const redirectFetch = async (): Promise<void> => {
  // Node makes it with the first call.
  await fetch('data:,');
  const globals = globalThis as Record<symbol, Dispatcher | undefined>;
  const known = DISPATCHERS.filter((symbol) => globals[symbol] !== undefined);
  if (known.length === 0) throw new Error('This version of Node.js sends requests in a way that is not known here.');
  for (const symbol of known) {
    const agent = globals[symbol] as Dispatcher;
    const dispatch: Dispatcher['dispatch'] = (options, handler) => {
      const isVendor = HOSTS.has(options.origin === undefined ? undefined : new URL(options.origin).hostname);
      const target = { origin: service.origin, path: `${prefix}${options.path}` };
      return agent.dispatch(isVendor ? { ...options, ...target } : options, handler);
    };
    globals[symbol] = Object.create(agent, { dispatch: { value: dispatch } }) as Dispatcher;
  }
};

redirectModule(http, http.request);
redirectModule(https, https.request);
syncBuiltinESMExports();
await redirectFetch();
