import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type Address,
  createTestClient,
  encodeAbiParameters,
  http,
  keccak256,
  pad,
  publicActions,
  toHex,
  walletActions,
} from 'viem';
import { foundry } from 'viem/chains';
import { testTokenAbi as abi, testTokenBytecode as bytecode } from '../src/onchain/artifact/test-token.js';
import { startAnvil } from '../src/onchain/local/anvil.js';
import { type Network, PUBLIC_CHAINS } from '../src/onchain/network.js';
import type { Progress } from './progress.js';
import { startService } from './service.js';
import type { Row } from './table.js';

const NETWORKS = ['ethereum', 'optimism', 'base', 'arbitrum', 'robinhood'] as const satisfies readonly Network[];
const TOKENS = 400;
const WARM_UPS = 3;
const ROUNDS = 30;
const MAX_CALLS = 2;

/** The requested wallet, which holds a token's whole supply; Anvil's first account pays. */
const WALLET: Address = '0x00000000000000000000000000000000000000b1';
const AMOUNT = 10n ** 18n;
/** Storage slot of `_balances` in OpenZeppelin's ERC20. */
const BALANCES_SLOT = 0n;

const addressOf = (index: number): Address => pad(toHex(0x70_0000 + index), { size: 20 });

/** A chain with 400 copies of a token; the wallet holds one unit of each. */
const startTokenChain = async (network: Network) => {
  const anvil = await startAnvil({ chainId: PUBLIC_CHAINS[network].id });
  const chain = { ...foundry, id: anvil.chainId };
  const client = createTestClient({ chain, mode: 'anvil', transport: http(anvil.url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
  const [account] = await client.getAddresses();
  if (account === undefined) throw new Error('anvil has no accounts');
  const hash = await client.deployContract({ abi, bytecode, args: ['Bench', 'BNC', 18], account });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  const code = contractAddress && (await client.getCode({ address: contractAddress }));
  if (!code) throw new Error('the token was not deployed');
  const place = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [WALLET, BALANCES_SLOT]));
  for (let index = 0; index < TOKENS; index += 1) {
    await client.setCode({ address: addressOf(index), bytecode: code });
    await client.setStorageAt({ address: addressOf(index), index: place, value: pad(toHex(AMOUNT), { size: 32 }) });
  }
  await client.setBalance({ address: WALLET, value: AMOUNT });
  return anvil;
};

/** A proxy that counts read calls. */
const startCounter = async (target: string) => {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (body.includes('"eth_call"')) calls += 1;
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** @returns the number of calls since the last call of this function. */
    count: (): number => {
      const counted = calls;
      calls = 0;
      return counted;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

/** Results for the balances of one wallet on five networks. */
export interface BalanceLoadResult {
  /** Milliseconds of a request: median and 99th percentile. */
  readonly p50: number;
  readonly p99: number;
  /** Maximum number of calls of one request to one network. */
  readonly calls: number;
}

const writeFiles = async (folder: string) => {
  const tokens = NETWORKS.flatMap((network) =>
    Array.from({ length: TOKENS }, (_, index) => ({
      chainId: PUBLIC_CHAINS[network].id,
      address: addressOf(index),
      name: `Bench ${index}`,
      symbol: `B${index}`,
      decimals: 18,
    })),
  );
  const prices = tokens.map(({ chainId, address }, index) => ({ chainId, address, price_usd: `${1 + index / 7}` }));
  const [CASTELLAN_TOKEN_LIST, CASTELLAN_PRICE_FILE] = [join(folder, 'list.json'), join(folder, 'price.json')];
  await writeFile(CASTELLAN_TOKEN_LIST, JSON.stringify({ name: 'Bench', tokens }));
  await writeFile(CASTELLAN_PRICE_FILE, JSON.stringify({ prices }));
  return { CASTELLAN_TOKEN_LIST, CASTELLAN_PRICE_FILE };
};

/**
 * Measures the first page of the balances of a wallet that holds 400 tokens on each of five networks, which are chains
 * on this machine; no request is cached.
 * @throws if a response lacks a network
 */
export const measureBalances = async (parts: {
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly progress: Progress;
}): Promise<BalanceLoadResult> => {
  const { environment, flags, progress } = parts;
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  const chains = await Promise.all(NETWORKS.map(startTokenChain));
  const counters = await Promise.all(chains.map(({ url }) => startCounter(url)));
  const rpc = NETWORKS.map((network, index) => [`CASTELLAN_RPC_${network.toUpperCase()}`, counters[index]?.url ?? '']);
  const own = { ...Object.fromEntries(rpc), ...(await writeFiles(folder)), CASTELLAN_LOCAL_CHAIN: 'off' };
  const service = await startService({ ...environment, ...own }, flags, 'dev');
  progress.start('balances', ROUNDS, 'requests');
  try {
    const query = `networks=${NETWORKS.join(',')}&address=${WALLET}&limit=100`;
    const url = `http://127.0.0.1:${service.port}/v2/onchain/token/balances?${query}`;
    const ask = async (): Promise<number> => {
      const began = performance.now();
      const answer = await fetch(url, { headers: { 'x-api-key': service.apiKey } });
      const body = await answer.text();
      const took = performance.now() - began;
      if (answer.status !== 200 || answer.headers.has('x-partial-networks')) throw new Error(body.slice(0, 500));
      return took;
    };
    for (let round = 0; round < WARM_UPS; round += 1) await ask();
    const times: number[] = [];
    let calls = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const counter of counters) counter.count();
      times.push(await ask());
      calls = Math.max(calls, ...counters.map((counter) => counter.count()));
      progress.add(1);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))] as number;
    return { p50: at(0.5), p99: at(0.99), calls };
  } finally {
    progress.stop();
    await service.stop();
    await Promise.all([...counters, ...chains].map((one) => one.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};

export const balanceRow = ({ p50, p99, calls }: BalanceLoadResult): Row => ({
  what: `balances, ${NETWORKS.length} networks of ${TOKENS} tokens`,
  measured: `${calls} calls a network`,
  p50,
  p99,
  target: { text: `<= ${MAX_CALLS} calls`, isMet: calls <= MAX_CALLS },
});
