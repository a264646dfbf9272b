import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPublicClient, getAddress, http, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, type Castellan, castellan, freePort, TestWorkspace } from './support/castellan.js';
import { startChain } from './support/chain.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

const withChain = async (more: Record<string, string> = {}): Promise<Record<string, string>> => ({
  ...(await work.newStore()),
  CASTELLAN_LOCAL_CHAIN: 'on',
  PORT: String(await freePort()),
  CASTELLAN_METRICS_PORT: 'off',
  ...more,
});

const startDev = async (environment: Record<string, string>): Promise<Castellan> => {
  const service = work.start(['dev', '--no-sample'], environment);
  await service.shows('curl');
  await expect.poll(() => service.err(), { timeout: 60_000 }).toContain('Ctrl-C stops it');
  return service;
};

/** Lines about the chain printed at the start. */
const chainOf = ({ out }: Castellan): string => /Chain +(http:\S+) \(id 31337/.exec(out())?.[1] ?? '';

const paste = async (line: string): Promise<{ collection: { address: `0x${string}`; transaction_hash: string } }> =>
  JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout);

const COLLECTION = parseAbi(['function name() view returns (string)', 'function owner() view returns (address)']);

const readCollection = async (url: string, address: `0x${string}`): Promise<readonly string[]> => {
  const client = createPublicClient({ transport: http(url) });
  return Promise.all([
    client.readContract({ abi: COLLECTION, address, functionName: 'name' }),
    client.readContract({ abi: COLLECTION, address, functionName: 'owner' }),
  ]);
};

/** @returns the processes of the chain in this data folder. */
const processesOf = async (environment: Record<string, string>): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(join(environment.CASTELLAN_DATA_DIR as string, 'chain')));
};

describe('the local chain of castellan dev', () => {
  it('deploys with the printed command, survives kill -9, and leaves no process behind', async () => {
    const environment = await withChain();
    const first = await startDev(environment);
    const [line = ''] = /curl .*erc721.*/.exec(first.out()) ?? [];
    const wallet = /Wallet +\S+ \((0x\w{40})\)/.exec(first.out())?.[1] ?? '';
    const { collection } = await paste(line);
    const read = [expect.any(String), getAddress(wallet)];
    expect(await readCollection(chainOf(first), collection.address)).toEqual(read);
    // A second deployment at once uses the next nonce.
    expect((await paste(line)).collection.address).not.toBe(collection.address);

    const doctor = await castellan(['doctor'], environment);
    if (!environment.DATABASE_URL) expect(doctor.out).toMatch(/local chain +ok +answers at http/);

    first.child.kill('SIGKILL');
    await first.ended;
    await expect.poll(() => processesOf(environment), { timeout: 20_000 }).toEqual([]);

    const second = await startDev(environment);
    expect(await readCollection(chainOf(second), collection.address)).toEqual(read);
    expect(second.err() + second.out()).not.toContain('lost');
    await paste(line);
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(0);
    expect(await processesOf(environment)).toEqual([]);

    // Without the folder of the chain, transactions in the database are sent again, which is reported.
    rmSync(join(environment.CASTELLAN_DATA_DIR as string, 'chain'), { recursive: true });
    const third = await startDev(environment);
    expect(third.out() + third.err()).toContain('3 transactions that the database knows of are not on the local chain');
    await expect
      .poll(() => readCollection(chainOf(third), collection.address).catch(() => []), {
        timeout: 60_000,
        interval: 500,
      })
      .toEqual(read);
    await paste(line);
    third.child.kill('SIGTERM');
    expect((await third.ended).code).toBe(0);
  });

  it('is not started when it is switched off; an unconfigured network names its variable', async () => {
    const environment = await withChain({ CASTELLAN_LOCAL_CHAIN: 'off' });
    const service = await startDev(environment);
    expect(service.out()).not.toContain('Wallet');
    expect(await processesOf(environment)).toEqual([]);
    const apiKey = /API key +(\S+)/.exec(service.out())?.[1] ?? '';
    const made = await castellan(['wallet', 'create', 'mine'], environment);
    expect(made.code).toBe(0);
    const response = await fetch(`http://127.0.0.1:${environment.PORT}/v2/social/nft/deploy/erc721/`, {
      method: 'POST',
      headers: {
        'x-api-key': apiKey,
        'x-wallet-id': /[0-9a-f-]{36}/.exec(made.out)?.[0] ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'One', symbol: 'ONE', network: 'base-sepolia' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      property: 'network',
      message: expect.stringContaining('CASTELLAN_RPC_BASE_SEPOLIA'),
    });
  });

  it('is not used for a network with an endpoint, and doctor reports an endpoint on a wrong chain without its URL', async () => {
    const chain = await startChain({ chainId: 8453 });
    const wrongChainEndpoint = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    }).listen(0, '127.0.0.1');
    await once(wrongChainEndpoint, 'listening');
    const { port } = wrongChainEndpoint.address() as { port: number };
    const secret = 'topsecret0123456789';
    const environment = await withChain({
      CASTELLAN_RPC_BASE: `http://127.0.0.1:${port}/${secret},${chain.url}/`,
      CASTELLAN_RPC_ARBITRUM: `http://127.0.0.1:${port}/${secret}`,
    });
    const service = await startDev(environment);
    expect(service.out()).toContain('stands in for ethereum, optimism, robinhood, base-sepolia)');
    expect(service.out()).toContain('"network":"optimism"');
    const doctor = await castellan(['doctor'], environment);
    const told = doctor.out + doctor.err;
    expect(told).toMatch(/network base +look +CASTELLAN_RPC_BASE \(1 of 2\) is on chain 1, not on 8453/);
    expect(told).toMatch(/network arbitrum +WRONG +CASTELLAN_RPC_ARBITRUM is on chain 1, not on 42161/);
    expect(doctor.code).toBe(1);
    service.child.kill('SIGTERM');
    const { out, err } = await service.ended;
    expect(out).toContain('CASTELLAN_RPC_BASE (1 of 2) is on chain 1, not on 8453');
    expect(told + out + err).not.toContain(secret);
    wrongChainEndpoint.close();
    await chain.stop();
  });
});
