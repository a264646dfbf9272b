import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProgram, castellan, freePort, TestWorkspace } from './support/castellan.js';
import { readSnippets, runSnippets } from './support/doc-snippet.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

test('the walk-through of notifications of a mini app works as printed', async () => {
  const { file } = await work.writeSample('small.ndjson', { accounts: 12, casts: 30, reactions: 30, follows: 30 });
  const store = { ...(await work.newStore()), CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' };
  const { environment, ...service } = await work.startDev(store);
  await castellan(['import', file], environment);
  const snippets = readSnippets('docs/miniapp-notifications.md');
  const folder = join(work.folder, 'checkout');
  const substitutes = { 'localhost:4000': `localhost:${await freePort()}` };
  const printed = await runSnippets(snippets, { folder, environment, substitutes });
  for (const [index, { place, answer }] of snippets.entries()) {
    if (answer === undefined) continue;
    const expected = JSON.stringify(answer).replaceAll('localhost:4000', substitutes['localhost:4000']);
    expect(JSON.parse(printed[index] as string), place).toMatchObject(JSON.parse(expected));
  }
  service.child.kill('SIGTERM');
  await service.ended;
});
