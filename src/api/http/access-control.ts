import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { AppError } from '../../error.js';
import type { Caller } from '../../access/caller.js';
import { clientAddress } from './client-address.js';
import type { Operation } from '../operation.js';
import { type Taken, tooManyRequests } from '../rate-limit.js';
import type { Allowance } from '../rate-window.js';
import type { Services } from '../service.js';

/** What of an operation decides who may call it. */
export type Guarded = Pick<Operation, 'id' | 'family' | 'errors'> &
  Partial<Pick<Operation, 'scope' | 'limitsAddresses'>>;

const lacksScope = (operation: Guarded): AppError => {
  const message = `This API key lacks the scope ${operation.scope}.`;
  // Where the contract lists no 403, its clients do not expect one; the hub's default error covers every status.
  const listed = operation.family === 'hub' || operation.errors.includes(403);
  return listed
    ? new AppError('forbidden', 'Forbidden', message)
    : new AppError('unauthorized', 'InsufficientScope', message);
};

/**
 * In one header, because each one takes of every answer (docs/decisions/0027-shared-rate-limit.md). Its form is that of
 * draft-ietf-httpapi-ratelimit-headers-07; the later ones need a second header for the limit.
 */
const tellAllowance = (reply: FastifyReply, { limit, remaining, resetSeconds }: Allowance): void => {
  reply.header('ratelimit', `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`);
};

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * Makes the hook that stands before everything else of an operation, its body's parsing included:
 * key, rate limit, scope. A key seen in the last second passes without waiting for anything but, now and then, the counts
 * of requests that processes share.
 */
export const createGuard = (operation: Guarded, services: Services): Hook => {
  const { authenticator } = services;
  const limit = services.rateLimiter.of(operation.id);
  type Done = (error?: Error) => void;
  const pass = (allowance: Allowance, reply: FastifyReply, done: Done): void => {
    tellAllowance(reply, allowance);
    done(allowance.exceeded ? tooManyRequests(allowance) : undefined);
  };
  const count = (taken: Taken, reply: FastifyReply, done: Done): void => {
    if (taken === undefined) done();
    else if (taken instanceof Promise) taken.then((allowance) => pass(allowance, reply, done), done);
    else pass(taken, reply, done);
  };
  const admit = (caller: Caller, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    request.caller = caller;
    const lacks = operation.scope !== undefined && !caller.scopes.has(operation.scope);
    // What lacks the scope counts too: it is a request like any other.
    count(limit.takeOfKey(caller), reply, lacks ? (error) => done(error ?? lacksScope(operation)) : done);
  };
  if (operation.scope === 'public') {
    if (!operation.limitsAddresses) return (_request, _reply, done) => done();
    return (request, reply, done) => count(limit.takeOfAddress(clientAddress(request.ip)), reply, done);
  }
  return (request, reply, done) => {
    let found: Caller | Promise<Caller>;
    try {
      found = authenticator.authenticate(request.headers['x-api-key'] as string | undefined);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (found instanceof Promise) found.then((caller) => admit(caller, request, reply, done), done);
    else admit(found, request, reply, done);
  };
};
