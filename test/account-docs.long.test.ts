import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';
import { readSnippets, runSnippets } from './support/doc-snippet.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

test('the snippets of docs/accounts.md run in order and print the documented responses', async () => {
  const store = { ...(await work.newStore()), CASTELLAN_LOCAL_CHAIN: 'on' };
  const { file } = await work.writeSample('small.ndjson', { accounts: 12, casts: 30, reactions: 30, follows: 30 });
  await castellan(['import', file], store);
  const { environment, ...service } = await work.startDev(store);
  const snippets = readSnippets('docs/accounts.md');
  const printed = await runSnippets(snippets, { folder: join(work.folder, 'checkout'), environment });
  for (const [index, { place, answer }] of snippets.entries()) {
    if (answer !== undefined) expect(JSON.parse(printed[index] as string), place).toMatchObject(answer as object);
  }
  service.child.kill('SIGTERM');
  await service.ended;
});
