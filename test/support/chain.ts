import {
  type Abi,
  type Account,
  type Address,
  type Chain as ChainDefinition,
  type ContractConstructorArgs,
  createPublicClient,
  createTestClient,
  createWalletClient,
  getAddress,
  type Hex,
  type HttpTransport,
  http,
  type PublicClient,
  type TestClient,
  type TransactionReceipt,
  type WalletClient,
} from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { vi } from 'vitest';
import { type Anvil, type AnvilOptions, startAnvil } from '../../src/onchain/local/anvil.js';
import type { CallTimeouts } from '../../src/onchain/rpc/transport.js';

/** Anvil's well-known mnemonic: its accounts hold nothing of value. */
const MNEMONIC = 'test test test test test test test test test test test junk';

/**
 * For a service whose chain is to fail: a call that is refused at once fails after 1.4 s (the next one after 0.6 s), one
 * without an answer after `total`. A chain that is there answers in time on a busy machine, too.
 */
export const SHORT_CALLS: CallTimeouts = { total: 2990, each: 1000, afterFailure: 1390 };

/** Cached, because deriving an account takes longer than sending a transaction. */
const accounts = new Map<number, HDAccount>();

const accountAt = (addressIndex: number): HDAccount => {
  const known = accounts.get(addressIndex) ?? mnemonicToAccount(MNEMONIC, { addressIndex });
  accounts.set(addressIndex, known);
  return known;
};

export interface Deployed {
  readonly address: Address;
  readonly receipt: TransactionReceipt;
}

/** A real chain of one test file, with clients that call it directly. */
export interface TestChain {
  readonly anvil: Anvil;
  readonly url: string;
  readonly chainId: number;
  readonly public: PublicClient<HttpTransport, ChainDefinition>;
  readonly test: TestClient<'anvil', HttpTransport, ChainDefinition>;
  /** Signs locally; the account is passed to each call or is one of `account`. */
  readonly wallet: WalletClient<HttpTransport, ChainDefinition>;
  /** The account at an index of the mnemonic; the first ten have 10,000 ether each. */
  account(index: number): HDAccount;
  /** Deploys, and waits for the block. */
  deploy<const ABI extends Abi>(
    artifact: { readonly abi: ABI; readonly bytecode: Hex; readonly args: ContractConstructorArgs<ABI> },
    from?: Account,
  ): Promise<Deployed>;
  /** @returns the receipt of a transaction, whether it succeeded or not. */
  receipt(hash: Promise<Hex> | Hex): Promise<TransactionReceipt>;
  /** Unix seconds of the latest block. */
  now(): Promise<number>;
  /** Sets the exact time of the next block (Unix seconds, later than the latest block's). */
  setNextTime(seconds: number): Promise<void>;
  mine(blocks?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a chain on a free port of 127.0.0.1; it ends with this process at the latest. */
export const startChain = async (options: AnvilOptions = {}): Promise<TestChain> => {
  const anvil = await startAnvil(options);
  const chain: ChainDefinition = { ...foundry, id: anvil.chainId, rpcUrls: { default: { http: [anvil.url] } } };
  // Blocks are immediate: polling every 4 s, viem's default, would take most of a test's time.
  const shared = { chain, transport: http(anvil.url), pollingInterval: 25, cacheTime: 0 } as const;
  const reader = createPublicClient(shared);
  const test = createTestClient({ ...shared, mode: 'anvil' });
  const wallet = createWalletClient(shared);
  // viem's own wait asks three times as much, and waits for another block where it has missed the one: none comes here.
  const receipt = async (sent: Promise<Hex> | Hex): Promise<TransactionReceipt> => {
    const hash = await sent;
    return vi.waitFor(() => reader.getTransactionReceipt({ hash }), { timeout: 60_000, interval: 25 });
  };
  return {
    anvil,
    url: anvil.url,
    chainId: anvil.chainId,
    public: reader,
    test,
    wallet,
    account: accountAt,
    receipt,
    deploy: async (artifact, from = accountAt(0)) => {
      // biome-ignore lint/suspicious/noExplicitAny: the arguments were held against the ABI by this function's own type
      const mined = await receipt(wallet.deployContract({ ...artifact, account: from, chain } as any));
      if (!mined.contractAddress) throw new Error('The transaction deployed nothing.');
      return { address: getAddress(mined.contractAddress), receipt: mined };
    },
    now: async () => Number((await reader.getBlock()).timestamp),
    setNextTime: (seconds) => test.setNextBlockTimestamp({ timestamp: BigInt(seconds) }),
    mine: (blocks = 1) => test.mine({ blocks }),
    stop: () => anvil.stop(),
  };
};
