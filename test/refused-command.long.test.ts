import { join } from 'node:path';
import { type OnChainEvent, OnChainEventType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openFileWriter } from '../src/ingest/file/write.js';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';
import { authors } from './support/hub-fixture.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const work = new TestWorkspace();
const file = join(work.folder, 'poison.pb');

/** A purchase whose log index is beyond what the column holds: the events around it can be stored. */
beforeAll(async () => {
  await buildProgram();
  const [alice, bob] = authors(1, 2);
  const registered = (alice.register() as { event: OnChainEvent }).event;
  const tierPurchaseEventBody = { tierType: 1, forDays: 30, payer: Buffer.alloc(20, 1) };
  const { idRegisterEventBody: _body, ...common } = registered;
  const type = OnChainEventType.EVENT_TYPE_TIER_PURCHASE;
  const purchase = { ...common, type, tierPurchaseEventBody, logIndex: 2 ** 31 };
  const writer = openFileWriter(file, 'protobuf');
  await writer.write({ kind: 'onchain', event: registered });
  await writer.write({ kind: 'onchain', event: purchase });
  await writer.write({ kind: 'onchain', event: (bob.register() as { event: OnChainEvent }).event });
  await writer.close();
});
afterAll(() => work.clear());

describe('a refused item of a file', () => {
  let environment: Record<string, string> = {};
  beforeAll(async () => {
    environment = (await work.startDev(await work.newStore())).environment;
  });
  const run = (...args: string[]) => castellan(args, environment, work.folder);

  it('is kept by the import, listed with its reason, told by the doctor, and can be tried again', async () => {
    expect(await run('refused', 'list')).toMatchObject({
      code: 0,
      err: expect.stringContaining('Nothing was refused'),
    });
    const imported = await run('import', file);
    expect(imported.out).toMatch(/merged +2\n/);
    expect(imported.out).toMatch(/could not be stored +1\n/);
    expect(imported).toMatchObject({ code: 1, err: expect.stringContaining('castellan refused list') });
    const { out } = await run('refused', 'list');
    expect(out).toMatch(/^1 +onchain +1 +file +1 .* 22003/m);
    expect((await run('doctor')).out).toMatch(/refused items +look +1 could not be stored/);
    expect(await run('refused', 'retry', '--all')).toMatchObject({
      code: 1,
      out: expect.stringContaining('0 stored, 1 refused again.'),
    });
    expect((await run('refused', 'list')).out).toMatch(/^1 +onchain +1 +file +2 /m);
    expect(await run('refused', 'retry', '77')).toMatchObject({ code: 1, err: expect.stringContaining('77') });
    expect((await run('refused', 'retry')).code).toBe(2);
  });
});
