import { randomUUID } from 'node:crypto';
import { type Address, getContract } from 'viem';
import { createKey, DEFAULT_ORGANIZATION_ID } from '../../src/access/key.js';
import type { Timings } from '../../src/app/app-options.js';
import { seriesCollectionAbi } from '../../src/onchain/artifact/series-collection.js';
import { makeWallet, type UsableWallet } from '../../src/onchain/transaction/wallet.js';
import { SCOPES } from '../../src/schema/scope.js';
import { insertApp } from '../../src/store/access/app.js';
import { insertOrganization } from '../../src/store/access/organization.js';
import { SHORT_CALLS, startChain, type TestChain } from './chain.js';
import { type Network, startNetwork, type TestResponse } from './network.js';

export const DEPLOY = '/v2/social/nft/deploy/erc721/';
export const MINT = '/v2/social/nft/mint/';
export const UPLOAD = '/v2/social/nft/metadata/token';

/** For a service whose transactions are not mined in time, or whose chain fails. */
export const SHORT_WAITS: Timings = { chainCalls: SHORT_CALLS, responses: { receipt: 1500 } };

/** A caller with a wallet. */
export interface Payer {
  readonly wallet: UsableWallet;
  readonly organizationId: string;
  /** The wallet header, and the key's if it is not the network's own. */
  readonly headers: Record<string, string>;
}

/** The service over a real chain, with wallets. */
export interface NftNetwork {
  readonly network: Network;
  readonly chain: TestChain;
  /** Payer of the network's own organization, with 10,000 ether. */
  readonly payer: Payer;
  /** Payer of another organization, with 10,000 ether. */
  readonly otherAccount: Payer;
  /** @returns a wallet of the network's own organization with this balance in wei */
  makePayer(balance: bigint): Promise<Payer>;
  deploy(body?: object, headers?: Record<string, string>): Promise<TestResponse>;
  /** @returns the address of a collection that is deployed with these members */
  collection(body?: object): Promise<Address>;
  /** Waits for all blocks unless `body` has `async`. */
  mint(body: object, headers?: Record<string, string>): Promise<TestResponse>;
  simulate(query: {
    readonly recipients: unknown;
    readonly contract: string;
    readonly network?: string;
  }): Promise<TestResponse>;
  /** Reads a collection from the chain. */
  onChain(address: Address): ReturnType<typeof reading>['read'];
  stop(): Promise<void>;
}

const reading = (chain: TestChain, address: Address) =>
  getContract({ address, abi: seriesCollectionAbi, client: chain.public });

/** @param environment of the service @param chain that is started already; stopped with the network either way */
export const startNftNetwork = async (
  environment: Record<string, string> = {},
  options: {
    readonly chain?: TestChain;
    readonly url?: (chain: TestChain) => string;
    /** Unix milliseconds. */
    readonly clock?: () => number;
    readonly timings?: Timings;
  } = {},
): Promise<NftNetwork> => {
  const chain = options.chain ?? (await startChain());
  const network = await startNetwork(environment, undefined, {
    chain: options.url?.(chain) ?? chain.url,
    ...(options.clock && { clock: options.clock }),
    ...(options.timings && { timings: options.timings }),
  });
  const { db } = network.app.core;
  const { masterKey } = network.config;
  const make = (organizationId: string, key?: Uint8Array) =>
    makeWallet(db, masterKey, { organizationId, name: 'test', now: new Date(), ...(key && { key }) });
  const keyOf = (index: number): Uint8Array => {
    const key = chain.account(index).getHdKey().privateKey;
    if (!key) throw new Error('the account has no key');
    return key;
  };
  const own = await make(DEFAULT_ORGANIZATION_ID, keyOf(1));
  const organization = await insertOrganization(db, { name: 'another organization' });
  const organizationId = (organization as { readonly id: string }).id;
  const app = await insertApp(db, { organizationId, name: 'strange' });
  const appId = (app as { readonly id: string }).id;
  const key = await createKey(db, { appId, name: 'strange', scopes: SCOPES, now: new Date() });
  const foreign = await make(organizationId, keyOf(2));
  const payer = { wallet: own, organizationId: DEFAULT_ORGANIZATION_ID, headers: { 'x-wallet-id': own.id } };
  // On a busy machine the block may come late: the request is then repeated, as clients do.
  const withRetry = async (
    headers: Record<string, string>,
    ask: (headers: Record<string, string>) => Promise<TestResponse>,
    isUnderWay: (answer: TestResponse) => boolean,
  ): Promise<TestResponse> => {
    const keyed = { 'idempotency-key': randomUUID(), ...headers };
    for (;;) {
      const answer = await ask(keyed);
      if (!isUnderWay(answer)) return answer;
    }
  };
  const deploy: NftNetwork['deploy'] = (body = {}, headers = payer.headers) =>
    withRetry(
      headers,
      (keyed) => network.send('POST', DEPLOY, { network: 'base', name: 'Garden', symbol: 'GRDN', ...body }, keyed),
      ({ status }) => status === 504,
    );
  return {
    network,
    chain,
    payer,
    otherAccount: { wallet: foreign, organizationId, headers: { 'x-wallet-id': foreign.id, 'x-api-key': key.secret } },
    makePayer: async (balance) => {
      const wallet = await make(DEFAULT_ORGANIZATION_ID);
      await chain.test.setBalance({ address: wallet.address, value: balance });
      return { wallet, organizationId: DEFAULT_ORGANIZATION_ID, headers: { 'x-wallet-id': wallet.id } };
    },
    deploy,
    collection: async (body) => {
      const answer = await deploy(body);
      if (answer.status !== 200) throw new Error(`nothing was deployed: ${JSON.stringify(answer.body)}`);
      return answer.body.collection.address;
    },
    mint: (body, headers = payer.headers) =>
      withRetry(
        headers,
        (keyed) => network.send('POST', MINT, { network: 'base', ...body }, keyed),
        ({ body: { transactions = [] } }) =>
          !('async' in body) && transactions.some(({ receipt }: { receipt?: unknown }) => receipt === null),
      ),
    simulate: ({ recipients, contract, network: name = 'base' }) => {
      const text = typeof recipients === 'string' ? recipients : JSON.stringify(recipients);
      const query = new URLSearchParams({ recipients: text, nft_contract_address: contract, network: name });
      return network.get(`${MINT}?${query}`);
    },
    onChain: (address) => reading(chain, address).read,
    stop: async () => {
      await network.stop();
      await chain.stop();
    },
  };
};

/** @returns an unused address, different for each number. */
export const someone = (index: number): Address => `0x${(0xabc000n + BigInt(index)).toString(16).padStart(40, '1')}`;
