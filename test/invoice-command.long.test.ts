import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

it('lists open invoices, settles one, takes another back, and the audit finds the books balanced', async () => {
  const store = {
    ...(await work.migratedStore()),
    CASTELLAN_DEFAULT_PLAN: 'free',
    CASTELLAN_LEDGER_SETTLEMENT: 'open',
  };
  const run = (...args: string[]) => castellan(args, store, work.folder);
  expect((await run('invoice', 'list')).err).toContain('There is no invoice yet');
  expect((await run('invoice', 'list', '--state', 'paid')).err).toContain(
    'No invoice is of that organization or state',
  );
  const one = (await run('org', 'create', 'One', '--plan', 'starter')).out.trim();
  const two = (await run('org', 'create', 'Two', '--plan', 'growth')).out.trim();
  const listed = async (...options: string[]) =>
    (await run('invoice', 'list', ...options)).out
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split(/ {2,}/));
  const [first] = await listed('--organization', one);
  const [second] = await listed('--organization', two);
  expect(first?.slice(1)).toMatchObject([
    one,
    'starter',
    expect.any(String),
    '$9.00',
    '$0.00',
    '$9.00',
    'open',
    expect.any(String),
  ]);
  const settled = await run('invoice', 'settle', first?.[0] as string);
  expect(settled).toMatchObject({ code: 0, err: expect.stringContaining('The invoice is paid: $9.00.') });
  const again = await run('invoice', 'settle', first?.[0] as string);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is not open: it is paid') });
  const taken = await run('invoice', 'void', second?.[0] as string);
  expect(taken).toMatchObject({ code: 0, err: expect.stringContaining('$49.00 is not due') });
  expect(await listed('--state', 'open')).toEqual([]);
  expect((await listed('--state', 'void')).map(([id]) => id)).toEqual([second?.[0]]);
  expect(await run('invoice', 'settle', 'nonsense')).toMatchObject({ code: 2 });
  expect(await run('invoice', 'void', one)).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no invoice'),
  });
  expect(await run('audit')).toMatchObject({ code: 0, out: expect.stringContaining('the books are balanced') });
});
