import {
  BUNDLER_ADDRESS,
  bundlerABI,
  ID_GATEWAY_ADDRESS,
  ID_GATEWAY_EIP_712_TYPES,
  ID_REGISTRY_ADDRESS,
  ID_REGISTRY_EIP_712_TYPES,
  idGatewayABI,
  idRegistryABI,
  KEY_GATEWAY_ADDRESS,
  KEY_GATEWAY_EIP_712_TYPES,
  KEY_REGISTRY_ADDRESS,
  KEY_REGISTRY_EIP_712_TYPES,
  keyGatewayABI,
  keyRegistryABI,
  SIGNED_KEY_REQUEST_VALIDATOR_ADDRESS,
  SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
  STORAGE_REGISTRY_ADDRESS,
  signedKeyRequestValidatorABI,
  storageRegistryABI,
} from '@farcaster/core';
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  decodeErrorResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
  type TransactionReceipt,
  toBytes,
  zeroAddress,
} from 'viem';
import { localClient } from '../../src/onchain/local/chain.js';
import { installRegistries } from '../../src/onchain/local/registry.js';
import { LOCAL_TOKEN_DEPLOYER } from '../../src/onchain/local/token.js';
import { SIGNED_KEY_REQUEST } from '../../src/protocol/eip712.js';
import { startChain, type TestChain } from './chain.js';

/** RPC address of OP Mainnet, or of a chain with the same contracts; unset: the contracts of contracts/local are tested. */
const FORK_URL = process.env.CASTELLAN_TEST_FORK_URL;

/** The registry contracts, for viem's calls. */
export const REGISTRY = {
  idRegistry: { address: ID_REGISTRY_ADDRESS, abi: idRegistryABI },
  idGateway: { address: ID_GATEWAY_ADDRESS, abi: idGatewayABI },
  keyRegistry: { address: KEY_REGISTRY_ADDRESS, abi: keyRegistryABI },
  keyGateway: { address: KEY_GATEWAY_ADDRESS, abi: keyGatewayABI },
  storageRegistry: { address: STORAGE_REGISTRY_ADDRESS, abi: storageRegistryABI },
  bundler: { address: BUNDLER_ADDRESS, abi: bundlerABI },
  validator: { address: SIGNED_KEY_REQUEST_VALIDATOR_ADDRESS, abi: signedKeyRequestValidatorABI },
} as const;

/** Starts a chain with id 10 and the registry contracts: ours, or the real ones of a fork. */
export const startRegistryChain = async (): Promise<TestChain> => {
  const chain = await startChain({ chainId: 10, ...(FORK_URL && { forkUrl: FORK_URL }) });
  if (!FORK_URL) await installRegistries(localClient(chain.url));
  return chain;
};

/** @returns an address that may pause the contract and set limits; its transactions need `impersonateAccount` */
export const registryOwner = async (
  chain: TestChain,
  contract: 'idRegistry' | 'idGateway' | 'keyRegistry' | 'keyGateway' | 'storageRegistry',
): Promise<Address> => {
  if (!FORK_URL) return LOCAL_TOKEN_DEPLOYER;
  if (contract !== 'storageRegistry') {
    const { address } = REGISTRY[contract];
    return chain.public.readContract({ address, abi: idRegistryABI, functionName: 'owner' });
  }
  const args = [keccak256(toBytes('OWNER_ROLE')), 0n] as const;
  return chain.public.readContract({ ...REGISTRY.storageRegistry, functionName: 'getRoleMember', args });
};

/** @returns what the account's next signature for the contract has to contain */
export const nonceOf = (
  chain: TestChain,
  contract: 'idRegistry' | 'idGateway' | 'keyRegistry' | 'keyGateway',
  owner: Address,
): Promise<bigint> =>
  chain.public.readContract({
    address: REGISTRY[contract].address,
    abi: idRegistryABI,
    functionName: 'nonces',
    args: [owner],
  });

/** @returns the fid of an address, 0 without one */
export const fidOf = (chain: TestChain, owner: Address): Promise<bigint> =>
  chain.public.readContract({ ...REGISTRY.idRegistry, functionName: 'idOf', args: [owner] });

/** @returns Unix seconds an hour after the latest block */
export const inAnHour = async (chain: TestChain): Promise<bigint> => BigInt((await chain.now()) + 3600);

/** What each signature ends with. */
interface Signed {
  readonly nonce: bigint;
  /** Unix seconds. */
  readonly deadline: bigint;
}

/** The new owner signs that it becomes the custody address of a new account. */
export const signRegister = (to: LocalAccount, message: Signed & { readonly recovery: Address }): Promise<Hex> =>
  to.signTypedData({ ...ID_GATEWAY_EIP_712_TYPES, primaryType: 'Register', message: { to: to.address, ...message } });

/** Both the old and the new owner sign a transfer, each with its own nonce. */
export const signTransfer = (
  signer: LocalAccount,
  message: Signed & { readonly fid: bigint; readonly to: Address },
): Promise<Hex> => signer.signTypedData({ ...ID_REGISTRY_EIP_712_TYPES, primaryType: 'Transfer', message });

export const signTransferAndChangeRecovery = (
  signer: LocalAccount,
  message: Signed & { readonly fid: bigint; readonly to: Address; readonly recovery: Address },
): Promise<Hex> =>
  signer.signTypedData({ ...ID_REGISTRY_EIP_712_TYPES, primaryType: 'TransferAndChangeRecovery', message });

/** @param message `from` is the present recovery address, `to` the new one */
export const signChangeRecovery = (
  signer: LocalAccount,
  message: Signed & { readonly fid: bigint; readonly from: Address; readonly to: Address },
): Promise<Hex> =>
  signer.signTypedData({ ...ID_REGISTRY_EIP_712_TYPES, primaryType: 'ChangeRecoveryAddress', message });

/** A key with its metadata, as the contracts take it. */
export interface AddedKey {
  readonly keyType: number;
  readonly key: Hex;
  readonly metadataType: number;
  readonly metadata: Hex;
}

/** The owner of an account signs that it gets a key. */
export const signAdd = (owner: LocalAccount, message: Signed & AddedKey): Promise<Hex> =>
  owner.signTypedData({
    ...KEY_GATEWAY_EIP_712_TYPES,
    primaryType: 'Add',
    message: { owner: owner.address, ...message },
  });

/** The owner of an account signs that it loses a key. */
export const signRemove = (owner: LocalAccount, message: Signed & { readonly key: Hex }): Promise<Hex> =>
  owner.signTypedData({
    ...KEY_REGISTRY_EIP_712_TYPES,
    primaryType: 'Remove',
    message: { owner: owner.address, ...message },
  });

/** An account that asks others to add a key. */
export interface Requester {
  readonly fid: bigint;
  readonly custody: LocalAccount;
}

/** @returns a key for messages with the signed request of an app, as metadata */
export const requestedKey = async (key: Hex, { fid, custody }: Requester, deadline: bigint): Promise<AddedKey> => {
  const signature = await custody.signTypedData({
    ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
    primaryType: 'SignedKeyRequest',
    message: { requestFid: fid, key, deadline },
  });
  const request = { requestFid: fid, requestSigner: custody.address, signature, deadline };
  return { keyType: 1, key, metadataType: 1, metadata: encodeAbiParameters(SIGNED_KEY_REQUEST, [request]) };
};

/**
 * Registers an account without keys by the Bundler; the first account of the chain pays.
 * @returns its fid
 */
export const registerAccount = async (
  chain: TestChain,
  custody: LocalAccount,
  recovery: Address = zeroAddress,
): Promise<bigint> => {
  const [nonce, deadline, value] = await Promise.all([
    nonceOf(chain, 'idGateway', custody.address),
    inAnHour(chain),
    chain.public.readContract({ ...REGISTRY.bundler, functionName: 'price', args: [0n] }),
  ]);
  const sig = await signRegister(custody, { recovery, nonce, deadline });
  const args = [{ to: custody.address, recovery, deadline, sig }, [], 0n] as const;
  const call = { ...REGISTRY.bundler, functionName: 'register', args, value, account: chain.account(0) } as const;
  await chain.receipt(chain.wallet.writeContract(call));
  return fidOf(chain, custody.address);
};

/** Errors of all contracts: a gateway passes on those of the registries. */
const ERRORS = Object.values(REGISTRY).flatMap(({ abi }) => abi.filter(({ type }) => type === 'error'));

/**
 * @param simulation of viem's `simulateContract`
 * @returns the error, with its arguments; `without data` if the contract gave none
 * @throws Error if the call does not revert
 */
export const revertOf = async (simulation: Promise<unknown>): Promise<string> => {
  const error = await simulation.then(
    () => new Error('The call did not revert.'),
    (reason: unknown) => reason,
  );
  const cause = error instanceof BaseError ? error.walk((one) => one instanceof ContractFunctionRevertedError) : error;
  if (cause instanceof ContractFunctionRevertedError && cause.raw && cause.raw !== '0x') {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data: cause.raw });
    return args?.length ? `${errorName}(${args.join(', ')})` : errorName;
  }
  const isEmpty = error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionZeroDataError);
  if (isEmpty || cause instanceof ContractFunctionRevertedError) return 'without data';
  throw error;
};

/** Sends a transaction from any address, without its key. */
export const sendFrom = async (
  chain: TestChain,
  from: Address,
  transaction: { readonly to: Address; readonly data: Hex },
): Promise<TransactionReceipt> => {
  await chain.test.setBalance({ address: from, value: 10n ** 18n });
  await chain.test.impersonateAccount({ address: from });
  const receipt = await chain.receipt(chain.wallet.sendTransaction({ account: from, ...transaction }));
  await chain.test.stopImpersonatingAccount({ address: from });
  return receipt;
};

/** Pauses a contract while something is tried. */
export const whilePaused = async (
  chain: TestChain,
  contract: Parameters<typeof registryOwner>[1],
  attempt: () => Promise<void>,
): Promise<void> => {
  const { address: to } = REGISTRY[contract];
  const owner = await registryOwner(chain, contract);
  const dataOf = (functionName: 'pause' | 'unpause'): Hex => encodeFunctionData({ abi: idRegistryABI, functionName });
  await sendFrom(chain, owner, { to, data: dataOf('pause') });
  try {
    await attempt();
  } finally {
    await sendFrom(chain, owner, { to, data: dataOf('unpause') });
  }
};
