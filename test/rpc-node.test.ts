import { ContractFunctionExecutionError, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../src/error.js';
import { MULTICALL3, NETWORKS } from '../src/onchain/network.js';
import type { NetworkSet, NetworksOptions } from '../src/onchain/rpc/networks.js';
import type { CallTimeouts } from '../src/onchain/rpc/transport.js';
import { startChain, type TestChain } from './support/chain.js';
import { closeEndpoints, errorOf, node, openNetworks, startEndpoint } from './support/rpc-endpoint.js';

/** For one that does not answer, with another one behind it. */
const SHORT_EACH: CallTimeouts = { total: 20_000, each: 300, afterFailure: 10_000 };
/** For calls that fail. */
const SHORT: CallTimeouts = { total: 3000, each: 300, afterFailure: 300 };

const BASE = 8453;
const open = (urls: readonly string[], options: Partial<NetworksOptions> = {}): NetworkSet =>
  openNetworks({ base: urls }, options);

afterEach(closeEndpoints);

describe('a network with a real node', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startChain({ chainId: BASE });
  }, 60_000);
  afterAll(() => chain.stop());

  it("returns the chain's results and errors from the first endpoint that works", async () => {
    const dead = await startEndpoint(node(BASE));
    await dead.stop();
    const slow = await startEndpoint(() => undefined);
    const client = open([dead.url, slow.url, `${chain.url}/`], { timeouts: SHORT_EACH }).client('base');
    const { address } = chain.account(0);
    expect(await client.getBalance({ address })).toBe(await chain.public.getBalance({ address }));
    // A call to an account without code is no fault of the endpoint: it is told as viem tells it, at once.
    const began = performance.now();
    const read = client.readContract({
      address,
      abi: parseAbi(['function owner() view returns (address)']),
      functionName: 'owner',
    });
    await expect(read).rejects.toBeInstanceOf(ContractFunctionExecutionError);
    const refused = client.sendRawTransaction({ serializedTransaction: '0x02' });
    await expect(refused).rejects.not.toBeInstanceOf(AppError);
    expect(performance.now() - began).toBeLessThan(SHORT_EACH.total);
  });

  it('fails when the node ends', async () => {
    const other = await startChain({ chainId: BASE });
    const client = open([other.url], { timeouts: SHORT }).client('base');
    expect(await client.getBlockNumber()).toBe(0n);
    await other.stop();
    const abi = parseAbi(['function owner() view returns (address)']);
    const read = client.readContract({ address: MULTICALL3, abi, functionName: 'owner' });
    expect(await errorOf(read)).toMatchObject({ kind: 'internal', code: 'ChainUnavailable' });
  });

  it('uses the local chain for every network without endpoints, even after a restart on another port', async () => {
    const local = await startChain();
    let { url } = local;
    const networks = open([chain.url], { localChain: { url: async () => url }, timeouts: SHORT });
    expect(networks.configured).toEqual([...NETWORKS]);
    expect(NETWORKS.map((network) => networks.chainId(network))).toEqual([
      31_337,
      31_337,
      BASE,
      31_337,
      31_337,
      31_337,
    ]);
    expect(await networks.client('base').getChainId()).toBe(BASE);
    expect(await networks.client('robinhood').getChainId()).toBe(31_337);
    await local.stop();
    const again = await startChain();
    url = again.url;
    await expect
      .poll(
        () =>
          networks
            .client('robinhood')
            .getBlockNumber()
            .catch(() => undefined),
        { timeout: 15_000 },
      )
      .toBe(0n);
    await again.stop();
  });
});
