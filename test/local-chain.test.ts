import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Address, Hex } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testTokenAbi } from '../src/onchain/artifact/test-token.js';
import {
  type LocalChain,
  type LocalChainOptions,
  localClient,
  readRunningChain,
  startLocalChain,
} from '../src/onchain/local/chain.js';
import { multicall3Code } from '../src/onchain/local/multicall3-code.js';
import { fillLocalChain } from '../src/onchain/local/seed.js';
import { LOCAL_KNOWN_TOKENS, LOCAL_TOKENS } from '../src/onchain/local/token.js';
import { LOCAL_CHAIN_ID, MULTICALL3 } from '../src/onchain/network.js';

vi.setConfig({ testTimeout: 60_000 });

const WALLET: Address = '0x00000000000000000000000000000000000000aa';
const HOLDERS: readonly Address[] = [
  '0x0000000000000000000000000000000000000b01',
  '0x0000000000000000000000000000000000000b02',
];

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-chain-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Milliseconds, so that a test that waits for a saved block or a new start does not wait for long. */
const SOON = { pollMs: 50, restartMs: 50 };

const start = (
  folder: string,
  times: Omit<LocalChainOptions, 'folder' | 'noted'> = SOON,
): { readonly chain: LocalChain; readonly notes: string[] } => {
  const notes: string[] = [];
  const chain = startLocalChain({ folder, noted: (message) => notes.push(message), ...times });
  onTestFinished(() => chain.stop());
  return { chain, notes };
};

const clientOf = async (chain: LocalChain) => localClient(await chain.url());

const keptBlock = async (folder: string): Promise<number> =>
  readFile(join(folder, 'snapshot.json'), 'utf8').then(
    (text) => JSON.parse(text).best_block_number,
    () => -1,
  );

test('has Multicall3, tokens with balances and a wallet that can pay, and keeps them', async () => {
  const folder = await makeFolder();
  const { chain } = start(folder);
  const client = await clientOf(chain);
  expect(await chain.origin()).toEqual({ kind: 'new' });
  expect(await client.getChainId()).toBe(LOCAL_CHAIN_ID);
  await fillLocalChain(client, { wallet: WALLET, holders: HOLDERS });

  // The code is what viem's creation code leaves.
  const { multicall3Bytecode } = await import('../node_modules/viem/_esm/constants/contracts.js' as string);
  const { data } = await client.call({ data: multicall3Bytecode as Hex });
  expect(multicall3Code).toBe(data);
  const read = { abi: testTokenAbi, multicallAddress: MULTICALL3 } as const;
  for (const { address, name, symbol, decimals } of LOCAL_TOKENS) {
    const [told, ...balances] = await Promise.all([
      client.multicall({
        multicallAddress: MULTICALL3,
        allowFailure: false,
        contracts: (['name', 'symbol', 'decimals'] as const).map((functionName) => ({
          ...read,
          address,
          functionName,
        })),
      }),
      ...HOLDERS.map((holder) => client.readContract({ ...read, address, functionName: 'balanceOf', args: [holder] })),
    ]);
    expect(told).toEqual([name, symbol, decimals]);
    expect(balances.some((balance) => balance > 0n)).toBe(true);
  }
  expect(new Set(LOCAL_TOKENS.map(({ decimals }) => decimals)).size).toBeGreaterThan(3);
  const listed = LOCAL_KNOWN_TOKENS.lists.flat();
  expect(listed.map(({ address }) => address)).toEqual(LOCAL_TOKENS.map(({ address }) => address.toLowerCase()));
  // One has no price on purpose; the native coin has one.
  expect(LOCAL_KNOWN_TOKENS.prices).toHaveLength(LOCAL_TOKENS.length);
  expect(await client.getBalance({ address: WALLET })).toBe(10_000n * 10n ** 18n);

  const block = await client.getBlockNumber();
  await fillLocalChain(client, { wallet: WALLET, holders: HOLDERS });
  expect(await client.getBlockNumber()).toBe(block);
  await chain.stop();

  const again = start(folder).chain;
  const other = await clientOf(again);
  expect(await again.origin()).toEqual({ kind: 'kept' });
  expect(await other.getBlockNumber()).toBe(block);
  expect(await other.getCode({ address: MULTICALL3 })).toBe(multicall3Code);
  expect(await other.getBalance({ address: WALLET })).toBe(10_000n * 10n ** 18n);
});

test('restarts after a kill with the last saved block', async () => {
  const folder = await makeFolder();
  const { chain, notes } = start(folder);
  const client = await clientOf(chain);
  await client.setBalance({ address: WALLET, value: 7n });
  await client.mine({ blocks: 3 });
  await expect.poll(() => keptBlock(folder)).toBe(3);
  const running = await readRunningChain(folder);
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(running?.pid)]);
  process.kill(Number(stdout), 'SIGKILL');
  await expect.poll(() => notes.join('\n')).toContain('started again');
  await expect.poll(async () => (await clientOf(chain)).getBlockNumber().catch(() => undefined)).toBe(3n);
  expect(await (await clientOf(chain)).getBalance({ address: WALLET })).toBe(7n);
});

test('reports a corrupt state and continues with an older one', async () => {
  const folder = await makeFolder();
  const first = start(folder).chain;
  const client = await clientOf(first);
  await client.mine({ blocks: 2 });
  await expect.poll(() => keptBlock(folder)).toBe(2);
  await first.stop();

  // Half a file, as a chain leaves that is killed while it writes.
  const file = join(folder, 'state.json');
  const whole = await readFile(file, 'utf8');
  await writeFile(file, whole.slice(0, whole.length / 2));
  const second = start(folder).chain;
  expect(await second.origin()).toEqual({ kind: 'spoiled', files: [`${file}.spoiled`], isNew: false });
  expect(await (await clientOf(second)).getBlockNumber()).toBe(2n);
  await second.stop();

  await rm(join(folder, 'snapshot.json'));
  await writeFile(file, '{"best_block_number": 7}');
  const third = start(folder).chain;
  expect(await third.origin()).toEqual({ kind: 'spoiled', files: [`${file}.spoiled`], isNew: true });
  expect(await (await clientOf(third)).getBlockNumber()).toBe(0n);
  expect(await readdir(folder)).toContain('state.json.spoiled');
});

test('does not start in the folder of a running chain', async () => {
  const folder = await makeFolder();
  const { chain } = start(folder);
  const url = await chain.url();
  // Shorter than the other chain lives.
  const other = start(folder, { endMs: 300 });
  await expect(other.chain.url()).rejects.toMatchObject({ code: 'LocalChainHeld' });
  expect(other.notes).toEqual(['The local chain does not run.']);
  await other.chain.stop();
  expect(await readRunningChain(folder)).toMatchObject({ url });
  expect(await (await clientOf(chain)).getChainId()).toBe(LOCAL_CHAIN_ID);
});
