import {
  BUNDLER_ADDRESS,
  ID_GATEWAY_ADDRESS,
  ID_REGISTRY_ADDRESS,
  idRegistryABI,
  KEY_GATEWAY_ADDRESS,
  KEY_REGISTRY_ADDRESS,
  SIGNED_KEY_REQUEST_VALIDATOR_ADDRESS,
  STORAGE_REGISTRY_ADDRESS,
  storageRegistryABI,
} from '@farcaster/core';
import { type Address, encodeFunctionData, type Hex, parseAbi, parseUnits } from 'viem';
import { registryCode } from '../artifact/registry-code.js';
import type { LocalClient } from './chain.js';
import { type LocalTransaction, sendLocalTransactions } from './send.js';
import { LOCAL_ETHER_PRICE, LOCAL_TOKEN_DEPLOYER } from './token.js';

/** The addresses of OP Mainnet (@farcaster/core). */
const REGISTRIES: readonly (readonly [Address, Hex])[] = [
  [ID_REGISTRY_ADDRESS, registryCode.idRegistry],
  [ID_GATEWAY_ADDRESS, registryCode.idGateway],
  [KEY_REGISTRY_ADDRESS, registryCode.keyRegistry],
  [KEY_GATEWAY_ADDRESS, registryCode.keyGateway],
  [STORAGE_REGISTRY_ADDRESS, registryCode.storageRegistry],
  [BUNDLER_ADDRESS, registryCode.bundler],
  [SIGNED_KEY_REQUEST_VALIDATOR_ADDRESS, registryCode.signedKeyRequestValidator],
];

/** US dollars for a unit of storage (FIP "Storage Redenomination" of 2025). */
const UNIT_PRICE = '0.2';
/** Decimals of dollars in the StorageRegistry. */
const DOLLAR_DECIMALS = 8;
const MAX_UNITS = 100_000_000n;
/** Unix seconds of 2100-01-01: the local registry never ends. */
const DEPRECATION = 4_102_444_800n;
const SETTING_GAS = 100_000n;

/** Only the contract of the local chain has it (contracts/local/IdRegistry.sol). */
const localIdRegistryAbi = parseAbi([
  'struct Account { uint256 fid; address custody; address recovery; }',
  'function registerMissing(Account[] accounts) returns (uint256 count)',
]);

/** Accounts of one transaction: each takes about 70,000 gas, and a transaction at most 2^24 (EIP-7825). */
const BATCH_SIZE = 150;
const BATCH_GAS = 14_000_000n;
/** Batches of one block of anvil, which has 30,000,000 gas. */
const BATCHES_PER_BLOCK = 2;

/** An account as the registry shows it. */
export interface RegistryAccount {
  readonly fid: number;
  readonly custody: Address;
  readonly recovery: Address;
}

const isCurrent = async (client: LocalClient, [address, code]: (typeof REGISTRIES)[number]): Promise<boolean> =>
  (await client.getCode({ address })) === code;

const priceSettings = (): LocalTransaction[] => {
  const dollars = (amount: string): readonly [bigint] => [parseUnits(amount, DOLLAR_DECIMALS)];
  const abi = storageRegistryABI;
  return [
    encodeFunctionData({ abi, functionName: 'setPrice', args: dollars(UNIT_PRICE) }),
    encodeFunctionData({ abi, functionName: 'setFixedEthUsdPrice', args: dollars(LOCAL_ETHER_PRICE) }),
    encodeFunctionData({ abi, functionName: 'setMaxUnits', args: [MAX_UNITS] }),
    // The last one, because it tells whether the others were made.
    encodeFunctionData({ abi, functionName: 'setDeprecationTimestamp', args: [DEPRECATION] }),
  ].map((data) => ({ to: STORAGE_REGISTRY_ADDRESS, data, gas: SETTING_GAS }));
};

/**
 * Puts the registry contracts of the local chain (contracts/local) at their addresses on OP Mainnet. What is there
 * already keeps its state.
 */
export const installRegistries = async (client: LocalClient): Promise<void> => {
  await Promise.all(
    REGISTRIES.map(async (registry) => {
      const [address, bytecode] = registry;
      if (!(await isCurrent(client, registry))) await client.setCode({ address, bytecode });
    }),
  );
  const storage = { address: STORAGE_REGISTRY_ADDRESS, abi: storageRegistryABI } as const;
  if ((await client.readContract({ ...storage, functionName: 'deprecationTimestamp' })) > 0n) return;
  const settings = priceSettings();
  await sendLocalTransactions(client, settings, settings.length);
};

/** @returns whether the registry lacks one of the accounts */
const isIncomplete = async (client: LocalClient, batch: Hex): Promise<boolean> => {
  const call = { account: LOCAL_TOKEN_DEPLOYER, to: ID_REGISTRY_ADDRESS, data: batch, gas: BATCH_GAS } as const;
  const { data } = await client.call(call);
  return data !== undefined && BigInt(data) > 0n;
};

const raiseCounter = (highestFid: number): LocalTransaction => ({
  to: ID_REGISTRY_ADDRESS,
  data: encodeFunctionData({ abi: idRegistryABI, functionName: 'setIdCounter', args: [BigInt(highestFid)] }),
  gas: SETTING_GAS,
});

/**
 * Registers accounts of the database at the local IdRegistry, as far as it does not know them. Its own state is newer:
 * registered fids, addresses that have a fid, and the zero address are skipped.
 * @param highestFid the next account that registers gets a higher one
 */
export const registerLocalAccounts = async (
  client: LocalClient,
  accounts: readonly RegistryAccount[],
  highestFid: number,
): Promise<void> => {
  const batches: LocalTransaction[] = [];
  for (let from = 0; from < accounts.length; from += BATCH_SIZE) {
    const args = accounts.slice(from, from + BATCH_SIZE).map(({ fid, ...rest }) => ({ fid: BigInt(fid), ...rest }));
    const data = encodeFunctionData({ abi: localIdRegistryAbi, functionName: 'registerMissing', args: [args] });
    if (await isIncomplete(client, data)) batches.push({ to: ID_REGISTRY_ADDRESS, data, gas: BATCH_GAS });
  }
  if (batches.length > 0) await sendLocalTransactions(client, batches, BATCHES_PER_BLOCK);
  const registry = { address: ID_REGISTRY_ADDRESS, abi: idRegistryABI } as const;
  if ((await client.readContract({ ...registry, functionName: 'idCounter' })) >= BigInt(highestFid)) return;
  await sendLocalTransactions(client, [raiseCounter(highestFid)], 1);
};
