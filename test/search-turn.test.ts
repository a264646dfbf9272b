import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operation } from '../src/api/http/operation.js';
import type { Statement } from '../src/db/statement.js';
import { searchStatement, statement } from '../src/db/statement.js';
import { type Shell, startShell } from './support/http-shell.js';

/** More than may run before the first of them have waited for too long. */
const REQUESTS = 60;

const readOnly = (id: string, sent: Statement<unknown>) =>
  operation({
    id,
    path: `/v2/test/${id}/`,
    tags: ['Test'],
    title: 'Test',
    summary: 'For tests.',
    cost: { fixed: 1 },
    response: Type.Object({}),
    errors: [],
    read: async (_request, read) => {
      await read.read(sent, []);
      return Buffer.from('{}');
    },
  });
const operations = [
  readOnly('costly-search', searchStatement('test_costly_search', 'select pg_sleep(1)')),
  readOnly('cheap-search', searchStatement('test_cheap_search', 'select 1')),
  readOnly('slow-read', statement('test_turn_slow', 'select pg_sleep(1)')),
  readOnly('other-slow-read', statement('test_turn_other', 'select pg_sleep(0.3)')),
];

const isOnServer = process.env.TEST_DATABASE_URL !== undefined;

let shell: Shell;
let url: string;
beforeAll(async () => {
  shell = await startShell({ operations });
  url = `http://127.0.0.1:${await shell.server.listen({ host: '127.0.0.1', port: 0 })}`;
});
afterAll(() => shell.stop());

const get = async (key: string, id: string): Promise<number> =>
  (await fetch(`${url}/v2/test/${id}/`, { headers: { 'x-api-key': key } })).status;

for (const [costly, cheap] of [
  ['costly-search', 'cheap-search'],
  ['slow-read', 'other-slow-read'],
] as const) {
  test.runIf(isOnServer)(`a ${costly} of one key waits for few of another key that has many`, async () => {
    const [greedy, other] = [await shell.key(), await shell.key()];
    const statuses: number[] = [];
    const requests = Array.from({ length: REQUESTS }, async () => {
      statuses.push(await get(greedy, costly));
    });
    await expect.poll(() => statuses.length).toBeGreaterThan(0);
    expect(await get(other, cheap)).toBe(200);
    // All others came first.
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(REQUESTS / 2);
    await Promise.all(requests);
    expect(statuses).toContain(503);
  });
}
