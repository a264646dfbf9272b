import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPublicClient, createTestClient, http } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.js';

const CHILD = fileURLToPath(new URL('../../../test/support/anvil-child.ts', import.meta.url));
const OTHER_ADDRESS = '0x00000000000000000000000000000000000000aa';

const start = async (options: AnvilOptions = {}): Promise<Anvil> => {
  const anvil = await startAnvil(options);
  onTestFinished(() => anvil.stop());
  return anvil;
};

const ask = ({ url }: { url: string }) => createPublicClient({ transport: http(url, { retryCount: 0 }) });

/** @returns whether anything listens at the address. */
const listens = async (url: string): Promise<boolean> => {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  const isHeard = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isHeard;
};

test('responds with its chain id after the start, and has ended after the stop', async () => {
  const [anvil, other] = await Promise.all([start({ chainId: 8453, accounts: 1 }), start()]);
  expect([anvil.chainId, await ask(anvil).getChainId()]).toEqual([8453, 8453]);
  expect([other.chainId, await ask(other).getChainId()]).toEqual([31_337, 31_337]);
  expect(other.port).not.toBe(anvil.port);
  await Promise.all([anvil.stop(), anvil.stop()]);
  await anvil.gone;
  expect([await listens(anvil.url), await listens(other.url)]).toEqual([false, true]);
});

test('forks another chain, and leaves that as it is', async () => {
  const origin = await start();
  const change = ({ url }: Anvil, value: bigint) =>
    createTestClient({ mode: 'anvil', transport: http(url) }).setBalance({ address: OTHER_ADDRESS, value });
  const balance = (anvil: Anvil) => ask(anvil).getBalance({ address: OTHER_ADDRESS });
  await change(origin, 5n);
  const fork = await start({ forkUrl: origin.url, chainId: 10 });
  expect([await ask(fork).getChainId(), await balance(fork)]).toEqual([10, 5n]);
  await change(fork, 6n);
  expect([await balance(origin), await balance(fork)]).toEqual([5n, 6n]);
});

test('keeps its state in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-anvil-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, 'state.json');
  const first = await start({ stateFile });
  const client = createTestClient({ mode: 'anvil', transport: http(first.url) });
  await client.setBalance({ address: OTHER_ADDRESS, value: 7n });
  await client.mine({ blocks: 3 });
  await first.stop();

  const second = await start({ stateFile });
  expect(await ask(second).getBalance({ address: OTHER_ADDRESS })).toBe(7n);
  expect(await ask(second).getBlockNumber()).toBe(3n);
});

test('reports why it does not start', async () => {
  const { port } = await start();
  await expect(startAnvil({ port })).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'LocalChainUnavailable',
    message: expect.stringMatching(/in use/i),
  });
});

test('ends with the process that started it, however that ends', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  expect(await listens(url)).toBe(true);
  child.kill('SIGKILL');
  await vi.waitFor(async () => expect(await listens(url)).toBe(false), { timeout: 30_000, interval: 50 });
});
