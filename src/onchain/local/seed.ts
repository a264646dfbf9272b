import { type Address, encodeDeployData, encodeFunctionData, type Hex, parseEther } from 'viem';
import { testTokenAbi, testTokenBytecode } from '../artifact/test-token.js';
import type { LocalClient } from './chain.js';
import { LOCAL_TOKEN_MAKER, LOCAL_TOKENS } from './token.js';
import { multicall3Code } from './multicall3-code.js';
import { MULTICALL3 } from '../network.js';

/** What the development wallet is filled up to at each start. */
const WALLET_ETHER = parseEther('10000');
const LOW_ETHER = parseEther('1000');
/** What each holder begins with. */
const HOLDER_ETHER = parseEther('2');
const GAS = 3_000_000n;
/** Transactions that fit into a block of anvil's at this limit of gas each. */
const BLOCK_SIZE = 8;
const MINT_GAS = 120_000n;
const MINT_BLOCK_SIZE = 200;

interface Errand {
  readonly to?: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

const hasCode = async (client: LocalClient, address: Address): Promise<boolean> =>
  ((await client.getCode({ address })) ?? '0x') !== '0x';

/** Sends as the maker of tokens, whose key nobody has, all in as few blocks as they fit in. */
const runErrands = async (client: LocalClient, errands: readonly Errand[], blockSize: number): Promise<void> => {
  await client.setBalance({ address: LOCAL_TOKEN_MAKER, value: WALLET_ETHER });
  await client.impersonateAccount({ address: LOCAL_TOKEN_MAKER });
  await client.setAutomine(false);
  try {
    let nonce = await client.getTransactionCount({ address: LOCAL_TOKEN_MAKER });
    for (let from = 0; from < errands.length; from += blockSize) {
      const block = errands.slice(from, from + blockSize);
      await Promise.all(
        block.map((errand) => client.sendUnsignedTransaction({ from: LOCAL_TOKEN_MAKER, nonce: nonce++, ...errand })),
      );
      await client.mine({ blocks: 1 });
    }
  } finally {
    await client.setAutomine(true);
    await client.stopImpersonatingAccount({ address: LOCAL_TOKEN_MAKER });
  }
};

const deployments = (): Errand[] =>
  LOCAL_TOKENS.map(({ name, symbol, decimals }) => ({
    data: encodeDeployData({ abi: testTokenAbi, bytecode: testTokenBytecode, args: [name, symbol, decimals] }),
    gas: GAS,
  }));

/** Every holder has another amount of another choice of tokens, the same at every start of a new chain. */
const mints = (holders: readonly Address[]): Errand[] =>
  holders.flatMap((holder, place) =>
    LOCAL_TOKENS.flatMap(({ address, decimals }, kind) => {
      if ((place + kind) % 3 === 2) return [];
      const whole = BigInt(1 + ((place * 37 + kind * 101) % 500));
      const args = [holder, whole * 10n ** BigInt(decimals)] as const;
      return [
        { to: address, data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args }), gas: MINT_GAS },
      ];
    }),
  );

/** Sees to it that a wallet can pay for a while. */
export const fillWallet = async (client: LocalClient, address: Address): Promise<void> => {
  if ((await client.getBalance({ address })) < LOW_ETHER) await client.setBalance({ address, value: WALLET_ETHER });
};

/**
 * Gives a local chain what others have: Multicall3, tokens, and accounts with something in them. What is there already
 * stays as it is.
 * @param accounts `wallet` pays for what developers try; `holders` get tokens when these are made
 */
export const fillLocalChain = async (
  client: LocalClient,
  { wallet, holders }: { readonly wallet: Address; readonly holders: readonly Address[] },
): Promise<void> => {
  if (!(await hasCode(client, MULTICALL3))) await client.setCode({ address: MULTICALL3, bytecode: multicall3Code });
  await fillWallet(client, wallet);
  if (await hasCode(client, (LOCAL_TOKENS[0] as { address: Address }).address)) return;
  // Its deployments decide the addresses: they are the first that it ever does, also after an attempt that broke off.
  await client.setNonce({ address: LOCAL_TOKEN_MAKER, nonce: 0 });
  await runErrands(client, deployments(), BLOCK_SIZE);
  await runErrands(client, mints(holders), MINT_BLOCK_SIZE);
  for (const address of holders) await client.setBalance({ address, value: HOLDER_ETHER });
};
