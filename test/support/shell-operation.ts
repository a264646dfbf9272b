import Type from 'typebox';
import { commaSeparated } from '../../src/api/http/comma-separated.js';
import { HandlerResponse, type Operation, octetStream, operation } from '../../src/api/http/operation.js';
import { AppError } from '../../src/error.js';
import { delay } from './delay.js';

/** Operations that exist only to exercise the shell: what comes in is what goes out. */

const echoed = Type.Object({}, { additionalProperties: true });

const base = { tags: ['Test'], title: 'Test', summary: 'For tests.', cost: { fixed: 1 } };

const Query = Type.Object({
  fid: Type.Integer({ minimum: 1 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  fids: Type.Optional(commaSeparated(Type.Integer({ minimum: 1 }), { maxItems: 100 })),
  cursor: Type.Optional(Type.String()),
});

const Body = Type.Object({
  fids: Type.Array(Type.Integer({ minimum: 1 })),
  name: Type.Optional(Type.String()),
});

export const shellOperations: readonly Operation[] = [
  operation({
    ...base,
    id: 'test-query',
    cost: { each: 2, of: 'limit' },
    path: '/v2/test/query/',
    query: Query,
    headers: Type.Object({ 'x-service-experimental': Type.Optional(Type.Boolean({ default: false })) }),
    response: echoed,
    handle: ({ query, headers, caller }) => ({ query, headers, appId: caller.appId }),
  }),
  operation({
    ...base,
    id: 'test-body',
    cost: { base: 10, each: 3, of: 'fids', in: 'body' },
    method: 'POST',
    path: '/v2/test/body/',
    body: Body,
    response: echoed,
    errors: [400, 403],
    handle: ({ body }) => ({ body }),
  }),
  operation({
    ...base,
    id: 'test-delete',
    method: 'DELETE',
    path: '/v2/test/body/',
    scope: 'mute',
    body: Body,
    response: echoed,
    handle: ({ body }) => ({ body }),
  }),
  operation({
    ...base,
    id: 'test-validation',
    method: 'POST',
    path: '/v2/test/validation/',
    body: Body,
    response: echoed,
    invalidBody: 'validation',
    handle: ({ body }) => ({ body }),
  }),
  operation({
    ...base,
    id: 'test-hub',
    path: '/v1/testHub',
    query: Query,
    response: echoed,
    errors: [],
    handle: ({ query }) => ({ query }),
  }),
  operation({
    ...base,
    id: 'test-hub-bytes',
    method: 'POST',
    path: '/v1/testBytes',
    body: octetStream,
    response: Type.Object({ hex: Type.String() }),
    errors: [],
    handle: ({ body }) => ({ hex: body.toString('hex') }),
  }),
  operation({
    ...base,
    id: 'test-portal',
    path: '/portal/test',
    scope: 'portal',
    query: Type.Object({ plan: Type.String() }),
    response: echoed,
    errors: [400, 401, 403],
    handle: ({ query }) => ({ query }),
  }),
  operation({
    ...base,
    id: 'test-rendered',
    path: '/v2/test/rendered/',
    response: Type.Object({ text: Type.String() }),
    errors: [],
    handle: () => Buffer.from('{"text":"grüße 👋"}'),
  }),
  operation({
    ...base,
    id: 'test-outcome',
    path: '/v2/test/outcome/',
    response: echoed,
    outcomes: { 202: Type.Object({ queued: Type.Boolean() }) },
    errors: [],
    handle: () => new HandlerResponse(202, { queued: true }),
  }),
  operation({
    ...base,
    id: 'test-wrong-answer',
    path: '/v2/test/wrong-answer/',
    response: Type.Object({ users: Type.Array(Type.Object({ fid: Type.Integer() })) }),
    errors: [],
    handle: () => Buffer.from('{"users":[{"fid":"1"}]}'),
  }),
  operation({
    ...base,
    id: 'test-unlisted',
    path: '/v2/test/unlisted/',
    response: echoed,
    handle: () => {
      throw new AppError('conflict', 'Conflict', 'twice');
    },
  }),
  operation({
    ...base,
    id: 'test-crash',
    path: '/v2/test/crash/',
    response: echoed,
    errors: [500],
    handle: async ({ log }) => {
      log.info({ headers: { 'x-api-key': 'hidden' } }, 'about to fail');
      throw new Error('connect to postgres://user:hunter2@10.0.0.7 failed');
    },
  }),
  operation({
    ...base,
    id: 'test-slow',
    path: '/v2/test/slow/',
    query: Type.Object({ ms: Type.Integer({ minimum: 0, maximum: 60_000 }) }),
    response: echoed,
    errors: [],
    handle: async ({ query }) => {
      await delay(query.ms);
      return { waited: query.ms };
    },
  }),
];
