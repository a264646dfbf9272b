import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSampleNetwork } from '../src/sample/network.js';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';
import { FakeHub } from './support/fake-hub.js';

vi.setConfig({ testTimeout: 180_000 });

const work = new TestWorkspace();
const hub = new FakeHub();
const ACCOUNTS = 10;

beforeAll(async () => {
  await buildProgram();
  await hub.start();
  const network = generateSampleNetwork({ accounts: ACCOUNTS, casts: 30, reactions: 30, follows: 30 });
  for await (const items of network.items()) hub.say(...items);
});
afterAll(async () => {
  await work.clear();
  hub.stop();
});

const address = () => `grpc://${hub.address.address}`;

describe('castellan with a hub', () => {
  it('loads all accounts, or chosen ones, and the audit finds no differences', async () => {
    const all = await work.newStore();
    const { code, out, err } = await castellan(['backfill'], { ...all, CASTELLAN_HUB_URL: address() });
    expect(err).toContain(`${ACCOUNTS} of ${ACCOUNTS} accounts (100%)`);
    expect(out).toContain('Everything that');
    expect(code).toBe(0);
    expect(await castellan(['audit'], all)).toMatchObject({ code: 0 });

    const some = await work.newStore();
    const chosen = await castellan(['backfill', '--hub', address(), '--fids', '1,2', '--fids', '3'], some);
    expect(chosen.err).toContain('3 of 3 accounts (100%)');
    expect(chosen.code).toBe(0);
  });

  it('diagnoses the hub, and reports when it is unavailable', async () => {
    const store = await work.newStore();
    const found = await castellan(['doctor'], { ...store, CASTELLAN_HUB_URL: address() });
    expect(found.out).toMatch(/hub +ok +127\.0\.0\.1:\d+ answers/);
    expect(found.out).toMatch(/shard 1 +look +was never read/);
    const away = await castellan(['doctor'], { ...store, CASTELLAN_HUB_URL: 'grpc://127.0.0.1:1' });
    expect(away.out).toMatch(/hub +WRONG +127\.0\.0\.1:1 does not answer/);
    expect(away.code).toBe(1);
    const backfill = await castellan(['backfill'], { ...store, CASTELLAN_HUB_URL: 'grpc://127.0.0.1:1' });
    expect(backfill).toMatchObject({ code: 1, err: expect.stringContaining('getInfo') });
    expect(await castellan(['backfill'], store)).toMatchObject({
      code: 2,
      err: expect.stringContaining('CASTELLAN_HUB_URL'),
    });
  });

  it('follows the hub while it serves', async () => {
    const service = await work.startDev({ ...(await work.newStore()), CASTELLAN_HUB_URL: address() });
    const count = async (): Promise<number> => {
      const answer = await service.get('/v1/fids?shard_id=1&pageSize=100');
      return ((await answer.json()) as { fids: number[] }).fids.length;
    };
    await expect.poll(count, { timeout: 60_000 }).toBe(ACCOUNTS);
    const doctor = await castellan(['doctor'], service.environment);
    expect(doctor.out).toMatch(/shard 1 +ok +\d+ blocks behind/);
  });
});
