import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Shell, startShell } from './support/http-shell.js';
import { shellOperations } from './support/shell-operation.js';

let shell: Shell;
let key: string;
let url: string;
beforeAll(async () => {
  shell = await startShell({ operations: shellOperations, logsRequests: true });
  key = await shell.key();
  url = `http://127.0.0.1:${await shell.server.listen({ host: '127.0.0.1', port: 0 })}`;
});
afterAll(() => shell.stop());

/** The line of a request, which is logged when its response is closed. */
const lineOf = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}${path}`, { headers });
  await response.arrayBuffer();
  const requestId = response.headers.get('x-request-id');
  const lines = () => shell.log.filter((line) => line.requestId === requestId && line.msg === 'request');
  await expect.poll(lines).toHaveLength(1);
  return lines()[0] as Record<string, unknown>;
};

test('each request is one line: its key, its operation, its status, its units and its time', async () => {
  const line = await lineOf('/v2/social/user/bulk/?fids=1', { 'x-api-key': key });
  expect(line).toMatchObject({ method: 'GET', operation: 'fetch-bulk-users', status: 200, units: expect.any(Number) });
  expect(line.keyId).toMatch(/^[0-9a-f-]{36}$/);
  expect(line.ms).toBeGreaterThan(0);
  expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(line).not.toHaveProperty('isCut');
});

test('neither keys nor addresses with credentials are in a line', async () => {
  expect(await lineOf('/nowhere?secret=1', { 'x-api-key': key })).toMatchObject({ status: 404 });
  const token = 'y'.repeat(43);
  expect(await lineOf(`/approve/${token}`)).toMatchObject({ path: '/approve/:token', status: 404 });
  expect(await lineOf('/v2/social/user/bulk/?fids=1', { 'x-api-key': 'wrong' })).toMatchObject({ status: 401 });
  const text = JSON.stringify(shell.log);
  for (const secret of [key, token, 'secret=1']) expect(text).not.toContain(secret);
});
