import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type Caller, KEYLESS_CALLER } from '../../access/caller.js';
import { consoleTokenOf, findConsoleSession } from '../../access/console-session.js';
import { apiKeyOf, hubKeyOf } from '../../access/key-header.js';
import { redeemStreamTicket } from '../../access/stream-ticket.js';
import { AppError } from '../../error.js';
import { LACKS_SCOPE } from '../../schema/scope.js';
import type { Admission } from '../limit/admission.js';
import { type Allowance, type RateLimitResult, tooManyKeylessReads, tooManyRequests } from '../limit/rate-limit.js';
import { clientAddress } from './client-address.js';
import type { Operation } from './operation.js';
import type { Services } from './service.js';

/** Members of an operation that decide which callers may call it. */
export type AccessPolicy = Pick<Operation, 'id' | 'family' | 'errors'> &
  Partial<Pick<Operation, 'query' | 'scope' | 'needsApp' | 'limitsAddresses' | 'takesTicket' | 'waitsOutside'>>;

const lacksScope = (operation: AccessPolicy): AppError => {
  const message = `${LACKS_SCOPE} ${operation.scope}.`;
  // Clients of a contract without 403 do not expect one; the hub's default error covers every status.
  const listed = operation.family === 'hub' || operation.errors.includes(403);
  return listed
    ? new AppError('forbidden', 'Forbidden', message)
    : new AppError('unauthorized', 'InsufficientScope', message);
};

/**
 * Sets the header of draft-ietf-httpapi-ratelimit-headers-07. Later drafts need a second header for the limit, and each
 * header costs throughput (docs/decisions/0036-rate-limit.md).
 */
const setRateLimitHeader = (reply: FastifyReply, { limit, remaining, resetSeconds }: Allowance): void => {
  reply.header('ratelimit', `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`);
};

/**
 * @returns whether an operation may be called without a key where its work is done here: what waits for chains and
 *   models costs its operator money
 */
const isReadByAnybody = ({ family, scope, needsApp }: AccessPolicy, { publicReads }: Services): boolean =>
  scope === 'read' && !needsApp && (publicReads === 'all' || (publicReads === 'hub' && family === 'hub'));

/** @returns whether pages may call an operation with the id of their app; one has a parameter of that name itself */
const isReadByPages = ({ query, scope, needsApp }: AccessPolicy): boolean =>
  scope === 'read' && !needsApp && query?.properties.client_id === undefined;

/** The vendor's React components send some parameters with a bracket behind them: `viewer_fid=1)`. */
const cutBrackets = (query: Record<string, unknown>): void => {
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string' && value.endsWith(')')) query[name] = value.slice(0, -1);
};

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * @returns the hook that runs first for an operation, before its body is parsed: it checks API key, rate limit and
 *   scope, and waits until the request may be worked on. A key that was checked in the last second needs no database
 *   access. Public operations that do not limit addresses (health) never wait.
 */
export const createGuard = (operation: AccessPolicy, services: Services): Hook => {
  const { authenticator, db, clock } = services;
  const { waitsOutside = false } = operation;
  const isOutside = ({ query }: FastifyRequest): boolean =>
    typeof waitsOutside === 'function' ? waitsOutside(query as Record<string, unknown>) : waitsOutside;
  const admissionOf = (request: FastifyRequest): Admission =>
    services.admission[isOutside(request) ? 'outside' : 'work'];
  // Not where no key is needed: there, the password may be one that a proxy has asked for.
  const keyOf = operation.family === 'hub' ? hubKeyOf : apiKeyOf;
  const limit = services.rateLimiter.of(operation.id);
  const dependencies = { db, authenticate: authenticator.authenticateHash };
  /** Each token costs a statement, and strangers can make them up. */
  const limitAddress = async ({ ip }: FastifyRequest): Promise<void> => {
    const allowance = await limit.consumeForAddress(clientAddress(ip));
    if (allowance?.exceeded) throw tooManyRequests(allowance);
  };
  const authenticate = (request: FastifyRequest): Caller | Promise<Caller> => {
    const session = consoleTokenOf(request.headers);
    if (session !== undefined)
      return limitAddress(request)
        .then(() => findConsoleSession(dependencies, session, clock()))
        .then(({ caller }) => caller);
    const ticket = operation.takesTicket && (request.query as { ticket?: unknown }).ticket;
    if (typeof ticket !== 'string') return authenticator.authenticate(keyOf(request.headers));
    return limitAddress(request).then(() => redeemStreamTicket(dependencies, ticket, clock()));
  };
  type Done = (error?: Error) => void;
  const pass = (allowance: Allowance, reply: FastifyReply, done: Done): void => {
    setRateLimitHeader(reply, allowance);
    done(allowance.exceeded ? tooManyRequests(allowance) : undefined);
  };
  const count = (taken: RateLimitResult, reply: FastifyReply, done: Done): void => {
    if (taken === undefined) done();
    else taken.then((allowance) => pass(allowance, reply, done), done);
  };
  const admit = (caller: Caller, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    request.caller = caller;
    const lacks = operation.scope !== undefined && !caller.scopes.has(operation.scope);
    // Requests that lack the scope count against the limit, too.
    count(limit.consumeForKey(caller), reply, (error) => {
      if (error !== undefined) done(error);
      else if (lacks) done(lacksScope(operation));
      else admissionOf(request).enter(caller.keyId, request, reply.raw, done);
    });
  };
  if (operation.scope === 'public') {
    if (!operation.limitsAddresses) return (_request, _reply, done) => done();
    return (request, reply, done) => {
      const address = clientAddress(request.ip);
      count(limit.consumeForAddress(address), reply, (error) => {
        if (error !== undefined) done(error);
        else admissionOf(request).enter(`address ${address}`, request, reply.raw, done, true);
      });
    };
  }
  const isOpen = isReadByAnybody(operation, services);
  const admitKeyless = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    request.caller = KEYLESS_CALLER;
    const address = clientAddress(request.ip);
    services.rateLimiter.consumeForKeylessRead(address).then((allowance) => {
      setRateLimitHeader(reply, allowance);
      if (allowance.exceeded) done(tooManyKeylessReads(allowance));
      else services.admission.work.enter(`address ${address}`, request, reply.raw, done, true);
    }, done);
  };
  const isForPages = isReadByPages(operation);
  const admitPage = async (
    clientId: string,
    request: FastifyRequest,
    reply: FastifyReply,
    done: Done,
  ): Promise<void> => {
    const address = clientAddress(request.ip);
    const own = await services.rateLimiter.consumeForPage(address);
    if (own.exceeded) {
      setRateLimitHeader(reply, own);
      return done(tooManyKeylessReads(own));
    }
    const caller = await services.browserClients.authenticate(clientId, request.headers.origin);
    request.caller = caller;
    // Apart from the requests with the key, whose limit strangers must not use up.
    const subject = `pages of ${caller.appId}`;
    count(limit.consumeForKey({ keyId: subject, planId: caller.planId }), reply, (error) => {
      if (error !== undefined) done(error);
      else services.admission.work.enter(subject, request, reply.raw, done);
    });
  };
  return (request, reply, done) => {
    const isAnonymous = apiKeyOf(request.headers) === undefined && consoleTokenOf(request.headers) === undefined;
    if (isAnonymous && (isForPages || isOpen) && !isOutside(request)) {
      const query = request.query as Record<string, unknown>;
      if (request.headers['x-sdk'] === 'react') cutBrackets(query);
      if (isForPages && typeof query.client_id === 'string') {
        admitPage(query.client_id, request, reply, done).catch(done);
        return;
      }
      if (isOpen) {
        admitKeyless(request, reply, done);
        return;
      }
    }
    let found: Caller | Promise<Caller>;
    try {
      found = authenticate(request);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (found instanceof Promise) found.then((caller) => admit(caller, request, reply, done), done);
    else admit(found, request, reply, done);
  };
};
