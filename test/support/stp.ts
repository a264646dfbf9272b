import { type Account, type Address, parseEther } from 'viem';
import { SHORT_CALLS, startChain, type TestChain } from './chain.js';
import { until } from './hub-fixture.js';
import { type Network, startNetwork } from './network.js';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.js';
import { type Seeded, seedBasics } from './seed.js';
import { deployStpFactories, type Send, type StpFactories, sender } from './stp-contract.js';

/** The service over a real chain, as `base`, with the real factories of subscription contracts. */
export interface StpEnvironment {
  readonly chain: TestChain;
  readonly proxy: RpcProxy;
  readonly network: Network;
  readonly seeded: Seeded;
  readonly factories: StpFactories;
  readonly send: Send;
  /** The custody account of a seeded user, with ether. */
  custody(name: 'alice' | 'bob' | 'carol' | 'dan' | 'erin' | 'frank'): Account & { readonly address: Address };
  /** Alice's verified address, with ether. */
  readonly verified: Account & { readonly address: Address };
  /** Runs one round of the index, and reads pictures. The service's own job rests. */
  index(): Promise<void>;
  /** The service's clock stands `ms` later from now on. */
  later(ms: number): void;
  /** Moves the chain's time, in seconds, and makes a block. */
  pass(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

const restJobs = async (network: Network): Promise<void> => {
  for (const name of ['index-stp', 'fetch-stp-art']) {
    const ended = () => network.sql('select 1 from job_run where name = $1 and claimed_by is null', [name]);
    await until(async () => (await ended()).length === 1);
    await network.sql(`update job_run set began_at = now() + interval '1 day' where name = $1`, [name]);
  }
};

export const startStpEnvironment = async (
  environment: Record<string, string> = {},
  chainCalls = SHORT_CALLS,
): Promise<StpEnvironment> => {
  let ahead = 0;
  const chain = await startChain({ chainId: 8453 });
  const factories = await deployStpFactories(chain);
  const proxy = await startRpcProxy(chain.url);
  const network = await startNetwork(
    {
      CASTELLAN_RPC_BASE: proxy.url,
      CASTELLAN_TRADE_WALLETS: '0',
      CASTELLAN_STP_FACTORIES: `base:${factories.v1},base:${factories.v2}@1`,
      ...environment,
    },
    undefined,
    { clock: () => Date.now() + ahead, timings: { chainCalls, stpArtMs: 2000 } },
  );
  await restJobs(network);
  const seeded = await seedBasics((items) => network.load(items));
  const names = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank'] as const;
  const verified = seeded.alice.wallet(1).account;
  for (const account of [...names.map((name) => seeded[name].custody.account), verified])
    await chain.test.setBalance({ address: account.address, value: parseEther('10') });
  return {
    chain,
    proxy,
    network,
    seeded,
    factories,
    send: sender(chain),
    custody: (name) => seeded[name].custody.account,
    verified,
    index: () => network.app.indexStp(new AbortController().signal),
    later: (ms) => {
      ahead += ms;
    },
    pass: async (seconds) => {
      await chain.test.increaseTime({ seconds });
      await chain.mine();
    },
    stop: async () => {
      await network.stop();
      await proxy.stop();
      await chain.stop();
    },
  };
};
