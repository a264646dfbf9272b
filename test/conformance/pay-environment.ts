import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, toHex } from 'viem';
import { startChain } from '../support/chain.js';
import { type NftNetwork, startNftNetwork } from '../support/nft.js';
import { deployToken, mintToken } from '../support/token-environment.js';
import { type Environment, startEnvironment } from './environment.js';

/** The service over a real chain that stands in for every network, with wallets and a token. */
export interface PayEnvironment extends Environment {
  readonly nft: NftNetwork;
  /** Of six decimals; alice has 1.5 of it, and 2 ether. */
  readonly token: Address;
  /** Alice's verified address. */
  readonly wallet: Address;
  /** A collection that the payer's wallet deployed. */
  readonly collection: Address;
}

export const startPayEnvironment = async (): Promise<PayEnvironment> => {
  const chain = await startChain({ chainId: 8453 });
  const token = await deployToken(chain, 'Token', 'TKN', 6);
  const list = join(await mkdtemp(join(tmpdir(), 'castellan-token-')), 'list.json');
  const tokens = [{ chainId: 8453, address: token, name: 'Token', symbol: 'TKN', decimals: 6 }];
  const version = { major: 1, minor: 0, patch: 0 };
  await writeFile(list, JSON.stringify({ name: 'Of a test', timestamp: '2026-01-01T00:00:00Z', version, tokens }));
  let started: NftNetwork | undefined;
  const environment = await startEnvironment(async (environment) => {
    started = await startNftNetwork(
      { ...environment, CASTELLAN_TOKEN_LIST: list, CASTELLAN_RPC_BASE: chain.url },
      { chain },
    );
    return started.network;
  });
  const nft = started as NftNetwork;
  const wallet = toHex(environment.seeded.alice.wallet(1).address);
  await mintToken(chain, token, wallet, 1_500_000n);
  await chain.test.setBalance({ address: wallet, value: 2n * 10n ** 18n });
  return {
    ...environment,
    nft,
    token,
    wallet,
    collection: await nft.collection(),
    stop: async () => {
      await environment.stop();
      await chain.stop();
    },
  };
};
