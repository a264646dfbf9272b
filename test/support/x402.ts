import { toFacilitatorEvmSigner } from '@x402/evm';
import type { Address, Hex } from 'viem';
import { authorizedTokenAbi as abi, authorizedTokenBytecode as bytecode } from './artifact/authorized-token.js';
import { SHORT_CALLS, startChain, type TestChain } from './chain.js';
import type { TestResponse } from './network.js';
import { type NftNetwork, type Payer, someone, startNftNetwork } from './nft.js';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.js';
import { balanceOf, mintToken, setContractCode } from './token-environment.js';

export const PATH = '/v2/signature/x402/';

/** https://developers.circle.com/stablecoins/usdc-contract-addresses */
export const USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const SEPOLIA_USDC: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

/** @param tellsSeparator whether it has `DOMAIN_SEPARATOR()`; `eip712Domain()` is there either way */
export const deployAuthorizedToken = async (
  chain: TestChain,
  { name, version = '2', tellsSeparator = true }: { name: string; version?: string; tellsSeparator?: boolean },
): Promise<Address> => (await chain.deploy({ abi, bytecode, args: [name, version, tellsSeparator] })).address;

/** Puts a token with authorizations (EIP-3009) at the address of USDC. */
export const placeUsdc = async (chain: TestChain, address: Address, name: string): Promise<void> => {
  const code = await chain.public.getCode({ address: await deployAuthorizedToken(chain, { name }) });
  await setContractCode(chain, address, code as Hex);
};

/** What a facilitator of the public package signs and reads with: an account of the chain that has ether. */
export const facilitatorOf = (chain: TestChain, index = 9): ReturnType<typeof toFacilitatorEvmSigner> => {
  const account = chain.account(index);
  const { wallet, public: reader } = chain;
  const own = { account, chain: wallet.chain };
  return toFacilitatorEvmSigner({
    address: account.address,
    // The package declares ABIs as unknown, which viem's own types refuse.
    readContract: (args) => reader.readContract(args as never),
    verifyTypedData: (args) => reader.verifyTypedData(args as never),
    writeContract: (args) => wallet.writeContract({ ...args, ...own } as never),
    sendTransaction: (args) => wallet.sendTransaction({ ...args, ...own }),
    waitForTransactionReceipt: ({ hash }) => reader.waitForTransactionReceipt({ hash }),
    getCode: (args) => reader.getCode(args),
  });
};

/** A requirement as servers of x402 version 1 state it: a hundredth of a USDC. */
export const requirement = (more: object = {}) => ({
  scheme: 'exact' as const,
  network: 'base' as const,
  maxAmountRequired: '10000',
  asset: USDC as string,
  payTo: '0x4444444444444444444444444444444444444444',
  resource: 'https://weather.example/today',
  description: 'The weather of today',
  mimeType: 'application/json',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' } as Record<string, unknown>,
  ...more,
});

export const usdcOf = (chain: TestChain, owner: string): Promise<bigint> => balanceOf(chain, USDC, owner as Address);

/** The service over a chain that stands for Base, with tokens that can be paid with. */
export interface X402Network {
  readonly nft: NftNetwork;
  readonly chain: TestChain;
  readonly proxy: RpcProxy;
  /** A token that the operator allows, with 500 for a payment and 1,000 for a day, as the next two. */
  readonly other: Address;
  /** Tells its domain by ERC-5267 alone. */
  readonly modern: Address;
  /** Has no contract. */
  readonly silent: Address;
  /** Likewise, on Base Sepolia. */
  readonly distant: Address;
  /** Unix milliseconds, the service's clock. */
  readonly clock: () => number;
  /** The service's clock stands `ms` later from now on. */
  later(ms: number): void;
  /** @returns a payer with this much USDC in its smallest unit */
  payerWith(usdc: bigint): Promise<Payer>;
  ask(payer: Payer, accepts: readonly object[], more?: AskOptions): Promise<TestResponse>;
  /** @returns the body of an answer that must be 200 */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  signed(payer: Payer, accepts: readonly object[], more?: AskOptions): Promise<any>;
  stop(): Promise<void>;
}

interface AskOptions {
  /** Of x402; default 1. */
  readonly version?: number;
  readonly key?: string;
  /** Further members of the body. */
  readonly body?: object;
}

export const startX402Network = async (): Promise<X402Network> => {
  let ahead = 0;
  const clock = (): number => Date.now() + ahead;
  const chain = await startChain({ chainId: 8453 });
  await placeUsdc(chain, USDC, 'USD Coin');
  const other = await deployAuthorizedToken(chain, { name: 'Other Coin', version: '1' });
  const modern = await deployAuthorizedToken(chain, { name: 'Modern Coin', version: '7', tellsSeparator: false });
  const [silent, distant] = [someone(77), someone(78)];
  const proxy = await startRpcProxy(chain.url);
  const assets = [other, modern, silent].map((address) => `eip155:8453/erc20:${address}=500:1000`);
  const nft = await startNftNetwork(
    {
      CASTELLAN_RPC_BASE: proxy.url,
      CASTELLAN_X402_ASSETS: [...assets, `eip155:84532/erc20:${distant}=500:1000`].join(', '),
    },
    { chain, clock, timings: { chainCalls: SHORT_CALLS } },
  );
  const ask: X402Network['ask'] = (payer, accepts, { version = 1, key, body } = {}) =>
    nft.network.send(
      'POST',
      PATH,
      { payment_requirements: { x402Version: version, accepts }, ...body },
      { ...payer.headers, ...(key !== undefined && { 'idempotency-key': key }) },
    );
  return {
    ...{ nft, chain, proxy, other, modern, silent, distant, clock, ask },
    later: (ms) => {
      ahead += ms;
    },
    payerWith: async (usdc) => {
      const payer = await nft.makePayer(0n);
      if (usdc > 0n) await mintToken(chain, USDC, payer.wallet.address, usdc);
      return payer;
    },
    signed: async (...given) => {
      const { status, body } = await ask(...given);
      if (status !== 200) throw new Error(`nothing was signed: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    stop: async () => {
      await nft.stop();
      await proxy.stop();
    },
  };
};

/** @returns what a test compares of a refused request */
export const refusal = ({ status, body }: TestResponse): unknown[] => [status, body.code, body.property];
