import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operation } from '../src/api/http/operation.js';
import { type Shell, startShell } from './support/http-shell.js';

const described = {
  ...{ tags: ['Test'], title: 'Test', summary: 'For tests.', cost: { fixed: 1 }, errors: [] },
  response: Type.Object({}),
  handle: async () => ({}),
};

let shell: Shell;
beforeAll(async () => {
  shell = await startShell({
    rateLimitPerMinute: 2,
    operations: [
      operation({ ...described, id: 'plain', path: '/v2/test/plain/' }),
      operation({ ...described, id: 'ticket', path: '/v2/test/ticket/', takesTicket: true }),
    ],
  });
});
afterAll(() => shell.stop());

const TOKEN = 'a'.repeat(43);

test.each([
  ['sessions', '/v2/test/plain/', { 'x-castellan-console': '1', cookie: `castellan_session=${TOKEN}` }],
  ['tickets', `/v2/test/ticket/?ticket=${TOKEN}`, {}],
])('made-up %s cost few statements: an address has a limit before they are looked up', async (_what, url, headers) => {
  const send = (remoteAddress: string) => shell.server.fastify.inject({ method: 'GET', url, headers, remoteAddress });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await send('192.0.2.1')).statusCode);
  expect(statuses).toEqual([401, 401, 429, 429]);
  expect((await send('192.0.2.2')).statusCode).toBe(401);
});
