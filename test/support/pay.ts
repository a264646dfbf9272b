import { type Account, type Address, encodeFunctionData, type Hex, parseUnits } from 'viem';
import { expect } from 'vitest';
import type { Timings } from '../../src/app/app-options.js';
import { testTokenAbi } from '../../src/onchain/artifact/test-token.js';
import { SHORT_CALLS, startChain, type TestChain } from './chain.js';
import { type Network, startNetwork, type TestResponse } from './network.js';
import { deployToken, mintToken } from './token-environment.js';

export const PAY = '/v2/social/frame/transaction/pay/';
/** Address that is paid. */
export const SHOP: Address = '0x00000000000000000000000000000000000005a1';

export const ASSOCIATION = {
  header: 'eyJmaWQiOjEsInR5cGUiOiJjdXN0b2R5Iiwia2V5IjoiMHgwMCJ9',
  payload: Buffer.from(JSON.stringify({ domain: 'pay.example' })).toString('base64url'),
  signature: 'AAAA',
};

/** What the page of a payment requests, as programs get it. */
interface Payment {
  readonly status: string;
  readonly chain_id: number;
  readonly transaction: { readonly to: Address; readonly data: Hex };
}

interface Transfer {
  readonly to?: Address;
  readonly amount?: string;
  readonly of?: Address;
  readonly from?: Account;
}

/** The service over a real chain with a token of 6 decimals, of which account 3 of the chain has a million. */
export interface PayEnvironment {
  readonly chain: TestChain;
  readonly network: Network;
  readonly token: Address;
  /** @returns the response to a request for 5 tokens, or with these members */
  create(to?: object, config?: object, more?: object): Promise<TestResponse>;
  /** @returns the id of a new page */
  made(to?: object, config?: object): Promise<string>;
  /** Reads the status of a page, after the time for another look at the chain. */
  statusOf(id: string): Promise<string>;
  paymentOf(id: string): Promise<Payment>;
  /** Reports a transaction as the page does, without a key. */
  report(id: string, hash: unknown): Promise<TestResponse>;
  /** Sends a transfer and waits for its block. @returns its hash */
  transfer(transfer?: Transfer): Promise<Hex>;
  /** The service's clock stands `ms` later from now on. */
  later(ms: number): void;
  stop(): Promise<void>;
}

export const itemsOf = (config: object = {}) => ({
  line_items: [{ name: 'Seeds', description: 'A bag of 20' }],
  ...config,
});

/**
 * @param chainId 8453: the chain is the endpoint of `base`; absent: it stands in for every network
 * @param options the endpoint that the service asks instead of the chain itself, and how long it may take
 */
export const startPayEnvironment = async (
  chainId?: number,
  {
    urlOf = ({ url }) => url,
    chainCalls = SHORT_CALLS,
    environment = {},
  }: {
    /** Further variables of the service. */
    readonly environment?: Record<string, string>;
    readonly urlOf?: (chain: TestChain) => string | Promise<string>;
    readonly chainCalls?: NonNullable<Timings['chainCalls']>;
  } = {},
): Promise<PayEnvironment> => {
  let now = Date.now();
  const chain = await startChain(chainId === undefined ? {} : { chainId });
  const url = await urlOf(chain);
  const network = await startNetwork(
    {
      PUBLIC_URL: 'https://pay.example',
      CASTELLAN_MINIAPP_ASSOCIATION: JSON.stringify(ASSOCIATION),
      ...(chainId === undefined ? {} : { CASTELLAN_RPC_BASE: url }),
      ...environment,
    },
    undefined,
    {
      ...(chainId === undefined ? { chain: url } : {}),
      clock: () => now,
      timings: { chainCalls },
    },
  );
  const token = await deployToken(chain, 'Test Dollar', 'TUSD', 6);
  await mintToken(chain, token, chain.account(3).address, parseUnits('1000000', 6));
  const create: PayEnvironment['create'] = (to = {}, config = {}, more = {}) =>
    network.send('POST', PAY, {
      transaction: { to: { network: 'base', address: SHOP, token_contract_address: token, amount: 5, ...to } },
      config: itemsOf(config),
      ...more,
    });
  return {
    chain,
    network,
    token,
    create,
    made: async (to, config) => {
      const { status, body } = await create(to, config);
      expect([status, body.transaction_frame?.status]).toEqual([200, 'created']);
      return body.transaction_frame.id;
    },
    statusOf: async (id) => {
      now += 2000;
      return (await network.get(`${PAY}?id=${id}`)).body.transaction_frame.status;
    },
    paymentOf: async (id) => (await (await fetch(`${network.url}/pay/${id}/payment`)).json()) as Payment,
    report: (id, hash) => network.send('POST', `/pay/${id}/transaction`, { hash }, { 'x-api-key': '' }),
    transfer: async ({ to = SHOP, amount = '5', of = token, from } = {}) => {
      const args = [to, parseUnits(amount, 6)] as const;
      const hash = await chain.wallet.sendTransaction({
        account: from ?? chain.account(3),
        chain: chain.wallet.chain,
        to: of,
        data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args }),
        // Also for transfers that fail, which cannot be estimated.
        gas: 200_000n,
      });
      await chain.receipt(hash);
      return hash;
    },
    later: (ms) => {
      now += ms;
    },
    stop: async () => {
      await network.stop();
      await chain.stop();
    },
  };
};
