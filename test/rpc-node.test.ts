import { ContractFunctionExecutionError, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../src/error.js';
import type { Patience } from '../src/onchain/chain-transport.js';
import { MULTICALL3, NETWORKS } from '../src/onchain/network.js';
import type { NetworkSet, NetworksOptions } from '../src/onchain/networks.js';
import { startChain, type TestChain } from './support/chain.js';
import { closeEndpoints, faultOf, node, openNetworks, startEndpoint } from './support/rpc-endpoint.js';

/** For one that does not answer, with another one behind it. */
const SHORT_EACH: Patience = { total: 20_000, each: 300, afterFailure: 10_000 };
/** For calls that fail. */
const SHORT: Patience = { total: 3000, each: 300, afterFailure: 300 };

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

  it('passes on what the chain says, from the first endpoint that works', async () => {
    const dead = await startEndpoint(node(BASE));
    await dead.stop();
    const slow = await startEndpoint(() => undefined);
    const client = open([dead.url, slow.url, `${chain.url}/`], { patience: SHORT_EACH }).client('base');
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

  it('notices when the node ends in the middle', async () => {
    const other = await startChain({ chainId: BASE });
    const client = open([other.url], { patience: SHORT }).client('base');
    expect(await client.getBlockNumber()).toBe(0n);
    await other.stop();
    const abi = parseAbi(['function owner() view returns (address)']);
    const read = client.readContract({ address: MULTICALL3, abi, functionName: 'owner' });
    expect(await faultOf(read)).toMatchObject({ kind: 'internal', code: 'ChainUnavailable' });
  });

  it('takes the local chain for every network without endpoints, wherever it comes back', async () => {
    const local = await startChain();
    let { url } = local;
    const networks = open([chain.url], { localChain: { url: async () => url }, patience: SHORT });
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
