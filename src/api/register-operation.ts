import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../error.js';
import type { ContractOperation } from '../schema/contract-operation.js';
import type { Cost } from './cost/cost.js';
import { familyOf } from './http/family.js';
import { createGuard } from './http/access-control.js';
import { Incoming } from './incoming.js';
import { JSON_TYPE } from './http/json-type.js';
import { createMetered } from './cost/metering.js';
import { observe } from './request-metrics.js';
import { type Operation, Outcome, octetStream, signedJson } from './operation.js';
import { createResponseCheck, readReply } from './http/response-check.js';
import type { Services } from './service.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** Present when answers are held against the operation's schema. */
    check?: (status: number, body: unknown) => void;
  }
}

/** Sends what a handler returned. */
const send = (reply: FastifyReply, result: unknown): FastifyReply => {
  reply.header('content-type', JSON_TYPE);
  if (Buffer.isBuffer(result)) return reply.send(result);
  if (result instanceof Outcome)
    return reply.code(result.status).headers(result.headers).send(JSON.stringify(result.body));
  return reply.send(JSON.stringify(result));
};

/** Both JSON and raw bytes can be parsed on every route; an operation takes the one that it declares. */
const mediaTypeError = (request: FastifyRequest, raw: boolean): AppError | null => {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const wanted = raw ? 'application/octet-stream' : 'application/json';
  // Without a type there is no body, which the validator of JSON bodies tells in words of its own.
  const encoded = request.headers['content-encoding'] !== undefined;
  if (!encoded && (type === wanted || (type === undefined && !raw))) return null;
  const message = `Send the body with the header content-type: ${wanted}${encoded ? ', not compressed' : ''}.`;
  return new AppError('wrong_media_type', 'UnsupportedMediaType', message);
};

/** @returns everything that decides an answer to the request. */
const keyOf = ({ id }: Operation, { caller, query, params }: Incoming): string =>
  `${id} ${caller.appId} ${JSON.stringify([query, params])}`;

const perform = (operation: Operation, request: Incoming, services: Services): unknown => {
  const { read, handle } = operation;
  if (read === undefined) return handle?.(request, services);
  return services.reads.answer(keyOf(operation, request), (context) => read(request, context, services));
};

/**
 * Makes an operation answer at its path.
 * @param options `cost` of a call; `validateResponses` holds every answer against the operation's schema.
 * @throws Error for a cost that does not fit the operation's schemas.
 */
export const registerOperation = (
  fastify: FastifyInstance,
  operation: Operation,
  services: Services,
  { cost, validateResponses }: { readonly cost: Cost; readonly validateResponses: boolean },
): void => {
  const { query, body, params, headers, speech } = operation;
  const check = validateResponses ? createResponseCheck(operation) : undefined;
  const raw = body === octetStream;
  const work = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const handled = await perform(operation, new Incoming(request, services.log, speech), services);
    const result = speech?.answer === undefined ? handled : speech.answer(handled);
    if (check) {
      const { status, body: answer } = readReply(result);
      check(status, answer);
    }
    return send(reply, result);
  };
  fastify.route({
    method: operation.method,
    url: operation.path,
    config: { operation, ...(check && { check }) },
    schema: {
      ...(query && { querystring: query }),
      ...(body && !raw && body !== signedJson && { body }),
      ...(params && { params }),
      ...(headers && { headers }),
    },
    onRequest: [observe(operation.id, services), createGuard(operation, services)],
    ...(body && {
      preParsing: (request, _reply, payload, done) => done(mediaTypeError(request, raw), payload),
    }),
    handler: operation.scope === 'public' ? work : createMetered(operation, cost, services.meter, work),
  });
};

/** Makes an operation of the contract that this version has no code for say so, to callers with a key. */
export const registerUnbuilt = (fastify: FastifyInstance, operation: ContractOperation, services: Services): void => {
  const { id, method, path } = operation;
  const guard = createGuard({ id, family: familyOf(path), errors: [] }, services);
  fastify.route({
    method,
    url: path,
    onRequest: [
      observe(id, services),
      guard,
      (_request, _reply, done) => {
        const message = `${method} ${path} (${id}) is part of the interface, but this version does not answer it yet.`;
        done(new AppError('not_implemented', 'NotImplemented', message));
      },
    ],
    handler: () => undefined,
  });
};
