import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, toHex } from 'viem';
import { startChain } from '../support/chain.js';
import { type NftNetwork, startNftNetwork } from '../support/nft.js';
import { deployStpFactories, MONTH, PER_SECOND, sender, V1 } from '../support/stp-contract.js';
import { deployToken, mintToken } from '../support/token-environment.js';
import { placeUsdc, USDC } from '../support/x402.js';
import type { Clients } from './case.js';
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
  /** A subscription contract of alice's, to which bob is subscribed. */
  readonly subscription: Address;
}

export const startPayEnvironment = async (): Promise<PayEnvironment> => {
  const chain = await startChain({ chainId: 8453 });
  const token = await deployToken(chain, 'Token', 'TKN', 6);
  const factories = await deployStpFactories(chain);
  const list = join(await mkdtemp(join(tmpdir(), 'castellan-token-')), 'list.json');
  const tokens = [{ chainId: 8453, address: token, name: 'Token', symbol: 'TKN', decimals: 6 }];
  const version = { major: 1, minor: 0, patch: 0 };
  await writeFile(list, JSON.stringify({ name: 'Of a test', timestamp: '2026-01-01T00:00:00Z', version, tokens }));
  let started: NftNetwork | undefined;
  const environment = await startEnvironment(async (environment) => {
    started = await startNftNetwork(
      {
        ...environment,
        // Trades come from the cases, not from the chain.
        CASTELLAN_TRADE_WALLETS: '0',
        CASTELLAN_TOKEN_LIST: list,
        CASTELLAN_RPC_BASE: chain.url,
        CASTELLAN_STP_FACTORIES: `base:${factories.v1}`,
      },
      { chain },
    );
    return started.network;
  });
  const nft = started as NftNetwork;
  await placeUsdc(chain, USDC, 'USD Coin');
  await mintToken(chain, USDC, nft.payer.wallet.address, 1_000_000n);
  const wallet = toHex(environment.seeded.alice.wallet(1).address);
  await mintToken(chain, token, wallet, 1_500_000n);
  await chain.test.setBalance({ address: wallet, value: 2n * 10n ** 18n });
  const { alice, bob } = environment.seeded;
  const subscription = await factories.deployV1({ owner: alice.wallet(1).account });
  const value = PER_SECOND * BigInt(MONTH);
  const mint = { abi: V1, functionName: 'mintFor', args: [bob.custody.account.address, value] };
  await sender(chain)(subscription, mint, { value });
  await nft.network.app.indexStp(new AbortController().signal);
  // The balance of the wallet without what the contract cost.
  await chain.test.setBalance({ address: wallet, value: 2n * 10n ** 18n });
  return {
    ...environment,
    subscription,
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

/** The clients that an operation is tried with, whose requests name a wallet; the key stays what it is. */
export const withWallet = (
  clients: Clients,
  walletId: string,
  more: Record<string, string> = {},
): Pick<Clients, 'api' | 'plain'> => clients.with({ 'x-wallet-id': walletId, ...more });

export const ofPayer = (clients: Clients, { nft }: PayEnvironment, more: Record<string, string> = {}) =>
  withWallet(clients, nft.payer.wallet.id, more);
