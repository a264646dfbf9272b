import { type Address, encodeDeployData, encodeFunctionData, parseEther } from 'viem';
import { testTokenAbi, testTokenBytecode } from '../artifact/test-token.js';
import { MULTICALL3 } from '../network.js';
import type { LocalClient } from './chain.js';
import { multicall3Code } from './multicall3-code.js';
import { installRegistries } from './registry.js';
import { type LocalTransaction, sendLocalTransactions } from './send.js';
import { LOCAL_TOKEN_DEPLOYER, LOCAL_TOKENS } from './token.js';

/** Balance of the development wallet after each start. */
const WALLET_ETHER = parseEther('10000');
const LOW_ETHER = parseEther('1000');
/** Initial balance of each holder. */
const HOLDER_ETHER = parseEther('2');
const GAS = 3_000_000n;
/** Transactions with this gas limit that fit into a block of anvil. */
const BLOCK_SIZE = 8;
const MINT_GAS = 120_000n;
const MINT_BLOCK_SIZE = 200;

const hasCode = async (client: LocalClient, address: Address): Promise<boolean> =>
  ((await client.getCode({ address })) ?? '0x') !== '0x';

const deployments = (): LocalTransaction[] =>
  LOCAL_TOKENS.map(({ name, symbol, decimals }) => ({
    data: encodeDeployData({ abi: testTokenAbi, bytecode: testTokenBytecode, args: [name, symbol, decimals] }),
    gas: GAS,
  }));

/** Each holder gets a different selection and amount of tokens, the same on every new chain. */
const mints = (holders: readonly Address[]): LocalTransaction[] =>
  holders.flatMap((holder, index) =>
    LOCAL_TOKENS.flatMap(({ address, decimals }, kind) => {
      if ((index + kind) % 3 === 2) return [];
      const whole = BigInt(1 + ((index * 37 + kind * 101) % 500));
      const args = [holder, whole * 10n ** BigInt(decimals)] as const;
      return [
        { to: address, data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args }), gas: MINT_GAS },
      ];
    }),
  );

export const fillWallet = async (client: LocalClient, address: Address): Promise<void> => {
  if ((await client.getBalance({ address })) < LOW_ETHER) await client.setBalance({ address, value: WALLET_ETHER });
};

const fillTokens = async (client: LocalClient, holders: readonly Address[]): Promise<void> => {
  // The nonce decides the addresses of the tokens, so it starts at 0 even after an attempt that was interrupted.
  await client.setNonce({ address: LOCAL_TOKEN_DEPLOYER, nonce: 0 });
  await sendLocalTransactions(client, deployments(), BLOCK_SIZE);
  await sendLocalTransactions(client, mints(holders), MINT_BLOCK_SIZE);
  for (const address of holders) await client.setBalance({ address, value: HOLDER_ETHER });
};

/**
 * Deploys Multicall3, the registry contracts and the test tokens, and funds accounts. What exists already is not changed.
 * @param accounts `wallet` pays for a developer's transactions; `holders` get tokens when these are deployed
 */
export const fillLocalChain = async (
  client: LocalClient,
  { wallet, holders }: { readonly wallet: Address; readonly holders: readonly Address[] },
): Promise<void> => {
  if (!(await hasCode(client, MULTICALL3))) await client.setCode({ address: MULTICALL3, bytecode: multicall3Code });
  await fillWallet(client, wallet);
  if (!(await hasCode(client, (LOCAL_TOKENS[0] as { address: Address }).address))) await fillTokens(client, holders);
  await installRegistries(client);
};
