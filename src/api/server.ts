import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { logRequests } from './access-log.js';
import { addBodyParsers, BODY_LIMIT_BYTES } from './body.js';
import { registerConsole } from './console/console-route.js';
import { allowOrigins, handleCorsPreflight } from './cors.js';
import { DEFAULT_HEADERS } from './default-header.js';
import {
  handleErrors,
  handleMalformedHttp,
  handleNotFound,
  handleUnroutable,
  MAX_HEADER_BYTES,
} from './error-handler.js';
import { registerNameRegistry } from './fname/name-registry.js';
import { registerGuides } from './guide/guide-routes.js';
import { compressResponses } from './http/compression.js';
import type { Family } from './http/family.js';
import { invalidRequest } from './http/invalid-request.js';
import { createEntryCheck } from './http/list-validation.js';
import type { Operation } from './http/operation.js';
import type { Services } from './http/service.js';
import { createCheck } from './http/validation.js';
import { TrackedResponse } from './limit/tracked-response.js';
import { registerMcp } from './mcp/mcp-route.js';
import { registerMedia } from './media/media-route.js';
import { operations } from './operation-list.js';
import { OTHER_NAMES } from './other-name/other-name.js';
import { convertOtherNames, rewriteUrl } from './other-name/rewrite.js';
import { registerPayPages } from './pay-frame/pay-routes.js';
import { createReader } from './query.js';
import { registerOperation } from './register-operation.js';
import { requestIdOf } from './request-id.js';
import { KnownPaths } from './route-methods.js';
import { operationsByDialect } from './service-dialect.js';
import { registerSignInPage } from './sign-in/sign-in-routes.js';
import { registerApproval } from './signer/approval.js';
import { registerDocPages } from './system/doc-page.js';
import { registerDocs } from './system/docs.js';
import { registerWelcome } from './system/landing-page-route.js';
import { registerSampleFiles } from './system/sample-file.js';
import { registerSampleMiniApps } from './system/sample-mini-app.js';
import { registerPageAssets } from './web-page/page-asset.js';
import { handleUpgrades, UpgradableRequest } from './websocket.js';

const REQUEST_TIMEOUT_MS = 60_000;
/** A connection on which nothing moves for so long is closed: longer than images take, and its client reads nothing. */
const UNMOVED_MS = 180_000;
/** Shorter than the 10 s in which a process has to end, because other parts are stopped afterwards. */
const STOP_GRACE_MS = 4_000;
const STOP_POLL_MS = 20;

export interface ServerOptions {
  /** Serves only these families, without documentation and health; absent: everything. */
  readonly families?: readonly Family[];
  /** Checks every response against the operation's schema; for tests. */
  readonly validateResponses?: boolean;
  /** Addresses and networks (CIDR) of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Logs one line for each request. */
  readonly logsRequests?: boolean;
  /** Milliseconds until a connection is closed on which nothing moves; three minutes unless given. */
  readonly unmovedMs?: number;
  /** Compresses large responses for clients that accept it. */
  readonly compresses?: boolean;
  /** Connections above this number are closed at once. */
  readonly maxConnections?: number;
  /** Additional operations, for tests of the server. */
  readonly operations?: readonly Operation[];
}

export interface Server {
  /** For tests, which call `inject`. */
  readonly fastify: FastifyInstance;
  /** All routes, including documentation and 501 responses. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** @returns the port; the system chooses one for 0. @throws the network's error */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /**
   * Stops accepting connections, finishes requests in progress and closes the remaining connections.
   * @param graceMs time limit of unfinished responses; 4 s unless given
   */
  stop(graceMs?: number): Promise<void>;
}

const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path', headers: 'headers' };

/**
 * Fastify's validator compiler: converts the text of query, path and headers, and validates bodies unchanged.
 * @param listing schemas of bodies of which all errors are reported
 */
const createCompiler = (listing: ReadonlySet<TSchema | undefined>) => (part: Parameters<typeof compileValidator>[0]) =>
  compileValidator(part, listing.has(part.schema) ? createEntryCheck(part.schema) : undefined);

const compileValidator = (
  { schema, httpPart }: { schema: TSchema; httpPart?: string | undefined },
  listAllErrors: ReturnType<typeof createEntryCheck> | undefined,
) => {
  const check = createCheck(schema);
  const part = PARTS[httpPart ?? ''];
  if (part === undefined) {
    return (value: unknown) => {
      const errors = check(value);
      if (errors === undefined) return { value };
      const first = invalidRequest(errors, 'body');
      return { error: listAllErrors === undefined ? first : listAllErrors(value, first) };
    };
  }
  // Clients may send the same headers with every request, so names of the other dialect are allowed in headers.
  const read = createReader(schema as TObject, part !== 'headers');
  return (raw: Parameters<typeof read>[0]) => {
    try {
      const value = read(raw);
      const errors = check(value);
      return errors ? { error: invalidRequest(errors, part) } : { value };
    } catch (error) {
      return { error: error as Error };
    }
  };
};

const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** @returns the open connections of a server */
const trackConnections = ({ server }: FastifyInstance): ReadonlySet<Socket> => {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
};

const stopServer = async (
  fastify: FastifyInstance,
  connections: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> => {
  const { server } = fastify;
  // Otherwise idle keep-alive connections would keep the server open.
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // For Node, a connection that has not sent anything yet is not idle.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  const idle = setInterval(closeIdle, STOP_POLL_MS);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await fastify.close();
  } finally {
    clearInterval(idle);
    clearTimeout(force);
  }
};

/**
 * Builds the HTTP server without listening: all operations of `operation-list.ts`, health checks, documentation and error responses.
 */
export const buildServer = (services: Services, options: ServerOptions = {}): Server => {
  const { families, validateResponses = false, trustedProxies = [] } = options;
  const fastify = Fastify({
    logger: false,
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    http: { maxHeaderSize: MAX_HEADER_BYTES, ServerResponse: TrackedResponse, IncomingMessage: UpgradableRequest },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: options.unmovedMs ?? UNMOVED_MS,
    return503OnClosing: false,
    // Clients whose base URL ends in a slash send double slashes.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 1024 },
    rewriteUrl,
    frameworkErrors: handleUnroutable,
    clientErrorHandler: handleMalformedHttp,
  });
  if (options.maxConnections !== undefined) fastify.server.maxConnections = options.maxConnections;
  const connections = trackConnections(fastify);
  handleUpgrades(fastify);
  const knownPaths = new KnownPaths();
  const registered: Server['routes'][number][] = [];
  fastify.addHook('onRoute', ({ method, path }) => {
    for (const one of [method].flat()) {
      knownPaths.add(one, path);
      registered.push({ method: one, path });
    }
  });
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('slot', null);
  fastify.decorateRequest('failure', null);
  const all = [...operations, ...(options.operations ?? [])];
  const byDialect = operationsByDialect(all, services);
  const validated = byDialect.filter(({ operation }) => operation.invalidBody === 'validation');
  const listing = new Set(validated.map(({ operation }) => operation.body));
  fastify.setValidatorCompiler(createCompiler(listing) as never);
  addBodyParsers(fastify);
  if (options.logsRequests) logRequests(fastify, services.log);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', DEFAULT_HEADERS['x-content-type-options'])
      .header('cache-control', DEFAULT_HEADERS['cache-control']);
    allowOrigins(request, reply);
    if (request.method === 'OPTIONS') handleCorsPreflight(reply, knownPaths.allowed(request.url));
    else done();
  });
  convertOtherNames(fastify);
  if (options.compresses) compressResponses(fastify);
  if (services.sampleMiniApps && families === undefined) registerSampleMiniApps(fastify, services.sampleMiniApps);
  const base = basePathOf(services.publicUrl);
  handleErrors(fastify, services.log, families === undefined ? base : undefined);
  handleNotFound(fastify, knownPaths);

  for (const { method, path } of OTHER_NAMES) {
    // Fastify answers HEAD wherever it answers GET.
    for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) knownPaths.add(one, `/v2/farcaster/${path}`);
  }
  const wanted = (family: Family): boolean => families?.includes(family) ?? true;
  for (const { operation, services: dialectServices } of byDialect) {
    const system = operation.scope === 'public';
    if (!wanted(operation.family) || (system && families !== undefined)) continue;
    registerOperation(fastify, operation, dialectServices, { validateResponses });
  }
  if (families === undefined) {
    registerPageAssets(fastify);
    registerConsole(fastify, base);
    registerDocs(fastify, all, base);
    registerDocPages(fastify);
    registerGuides(fastify, services, base);
    registerApproval(fastify, services, base);
    registerSignInPage(fastify, services, base);
    registerMcp(fastify, services);
    registerMedia(fastify, services);
    registerPayPages(fastify, services, base);
    const { publicUrl, sampleFiles } = services;
    const startup = services.readiness.find(({ name }) => name === 'startup');
    registerWelcome(fastify, { publicUrl, base, isLocal: sampleFiles !== undefined }, startup);
    if (sampleFiles) registerSampleFiles(fastify, sampleFiles);
    if (services.localNames) registerNameRegistry(fastify, services, services.localNames);
  }

  return {
    fastify,
    routes: registered,
    listen: async (address) => {
      await fastify.listen(address);
      const bound = fastify.server.address();
      return typeof bound === 'object' && bound !== null ? bound.port : address.port;
    },
    stop: (graceMs = STOP_GRACE_MS) => stopServer(fastify, connections, graceMs),
  };
};
