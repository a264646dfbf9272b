import Fastify, { type FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { contractOperations } from '../schema/contract-operation.js';
import { wirePaths } from '../schema/wire-names.js';
import { Answer } from './answer.js';
import { addBodyParsers, BODY_LIMIT_BYTES } from './body.js';
import { allowOrigins, answerOptions } from './cors.js';
import { type Costs, costOf } from './cost/cost.js';
import { costTable } from './cost/table.js';
import { DEFAULT_HEADERS } from './default-header.js';
import { createEntryCheck } from './http/list-validation.js';
import { answerBrokenHttp, answerErrors, answerUnknown, answerUnroutable, MAX_HEADER_BYTES } from './error-handler.js';
import { type Family, familyOf } from './http/family.js';
import { invalidRequest } from './http/invalid-request.js';
import { KnownPaths } from './route-methods.js';
import type { Operation } from './operation.js';
import { createReader } from './query.js';
import { requestIdOf } from './request-id.js';
import { rooms } from './room-list.js';
import { registerOperation, registerUnbuilt } from './register-operation.js';
import type { Services } from './service.js';
import { speakAll } from './service-dialect.js';
import { registerApproval } from './signer/approval.js';
import { registerDocs } from './system/docs.js';
import { registerSamplePictures } from './system/sample-picture.js';
import { registerWelcome } from './system/landing-page-route.js';
import { createCheck } from './http/validation.js';

const REQUEST_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
const STOP_POLL_MS = 20;

export interface ServerOptions {
  /** Only these parts of the interface, without documentation and health; absent: everything. */
  readonly families?: readonly Family[];
  /** Holds every answer against the operation's schema and fails loudly; for tests. */
  readonly validateResponses?: boolean;
  /** Addresses and networks (CIDR) of proxies whose word on where a request comes from is taken. */
  readonly trustedProxies?: readonly string[];
  /** Operations beside those of the rooms; for tests of the shell itself. */
  readonly operations?: readonly Operation[];
  /** What those cost. */
  readonly costs?: Costs;
}

export interface Server {
  /** For tests: `inject` answers without a network. */
  readonly fastify: FastifyInstance;
  /** Everything that is answered, documentation and 501 included. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** @returns the port, chosen by the system when 0 was asked for. @throws the network's error. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /**
   * Takes no more connections, finishes what is in flight, closes the rest.
   * @param graceMs how long an unfinished answer may take; 10 s unless given.
   */
  stop(graceMs?: number): Promise<void>;
}

const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path', headers: 'headers' };

/**
 * Validation as Fastify asks for it: text of query, path and headers is converted, bodies are taken as they are.
 * @param listing bodies whose every fault is told
 */
const createCompiler = (listing: ReadonlySet<TSchema | undefined>) => (part: Parameters<typeof compileValidator>[0]) =>
  compileValidator(part, listing.has(part.schema) ? createEntryCheck(part.schema) : undefined);

const compileValidator = (
  { schema, httpPart }: { schema: TSchema; httpPart?: string | undefined },
  tellAll: ReturnType<typeof createEntryCheck> | undefined,
) => {
  const check = createCheck(schema);
  const part = PARTS[httpPart ?? ''];
  if (part === undefined) {
    return (value: unknown) => {
      const errors = check(value);
      if (errors === undefined) return { value };
      const first = invalidRequest(errors, 'body');
      return { error: tellAll === undefined ? first : tellAll(value, first) };
    };
  }
  // A program may send a header with everything it asks, also where it is called otherwise.
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

/** The path under which a proxy shows the service: '' at the root. */
const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

const stopServer = async (fastify: FastifyInstance, graceMs: number): Promise<void> => {
  const { server } = fastify;
  // A connection that becomes idle after its last answer would keep the server open until its keep-alive ends.
  const idle = setInterval(() => server.closeIdleConnections(), STOP_POLL_MS);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await fastify.close();
  } finally {
    clearInterval(idle);
    clearTimeout(force);
  }
};

/**
 * Builds the HTTP interface without listening: every operation of the rooms, 501 for what the contract has beyond
 * them, health, documentation, one form of errors.
 */
export const buildServer = (services: Services, options: ServerOptions = {}): Server => {
  const { families, validateResponses = false, trustedProxies = [] } = options;
  const fastify = Fastify({
    logger: false,
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    http: { maxHeaderSize: MAX_HEADER_BYTES, ServerResponse: Answer },
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    // Two slashes come from clients whose base URL ends in one.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 1024 },
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerBrokenHttp,
  });
  const knownPaths = new KnownPaths();
  const routes: Server['routes'][number][] = [];
  fastify.addHook('onRoute', ({ method, path }) => {
    for (const one of [method].flat()) {
      knownPaths.add(one, path);
      routes.push({ method: one, path });
    }
  });
  fastify.decorateRequest('caller', null);
  const operations = [...rooms.flat(), ...(options.operations ?? [])];
  const costs: Costs = { ...costTable, ...options.costs };
  const spoken = speakAll(operations, services);
  const telling = spoken.filter(({ operation }) => operation.invalidBody === 'validation');
  const listing = new Set(telling.map(({ operation }) => operation.body));
  fastify.setValidatorCompiler(createCompiler(listing) as never);
  addBodyParsers(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', DEFAULT_HEADERS['x-content-type-options'])
      .header('cache-control', DEFAULT_HEADERS['cache-control']);
    allowOrigins(request, reply);
    if (request.method === 'OPTIONS') answerOptions(reply, knownPaths.allowed(request.url));
    else done();
  });
  answerErrors(fastify, services.log);
  answerUnknown(fastify, knownPaths);

  const wanted = (family: Family): boolean => families?.includes(family) ?? true;
  const built = new Set(operations.map(({ id }) => id));
  for (const { operation, services: speaking } of spoken) {
    const system = operation.scope === 'public';
    if (!wanted(operation.family) || (system && families !== undefined)) continue;
    registerOperation(fastify, operation, speaking, { cost: costOf(costs, operation), validateResponses });
  }
  for (const operation of contractOperations) {
    if (built.has(operation.id) || !wanted(familyOf(operation.path))) continue;
    for (const path of wirePaths(operation.path)) registerUnbuilt(fastify, { ...operation, path }, services);
  }
  if (families === undefined) {
    const base = basePathOf(services.publicUrl);
    registerDocs(fastify, operations, costs, base);
    registerApproval(fastify, services, base);
    const { publicUrl, samplePicture } = services;
    registerWelcome(fastify, { publicUrl, base, isLocal: samplePicture !== undefined });
    if (samplePicture) registerSamplePictures(fastify, samplePicture);
  }

  return {
    fastify,
    routes,
    listen: async (address) => {
      await fastify.listen(address);
      const bound = fastify.server.address();
      return typeof bound === 'object' && bound !== null ? bound.port : address.port;
    },
    stop: (graceMs = STOP_GRACE_MS) => stopServer(fastify, graceMs),
  };
};
