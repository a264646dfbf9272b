import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  keccak256,
  type PrivateKeyAccount,
  serializeErc6492Signature,
} from 'viem';
import { contractWalletFactoryAbi as abi, contractWalletFactoryBytecode } from './artifact/contract-wallet-factory.js';
import { startChain, type TestChain } from './chain.js';

/** A chain with a factory of contract wallets, at the same address on every chain. */
export interface WalletChain {
  readonly chain: TestChain;
  readonly factory: Hex;
}

export const startWalletChain = async (chainId: number): Promise<WalletChain> => {
  const chain = await startChain({ chainId });
  return { chain, factory: (await chain.deploy({ abi, bytecode: contractWalletFactoryBytecode, args: [] })).address };
};

const factoryCall = (owner: Hex): Hex => encodeFunctionData({ abi, functionName: 'deploy', args: [owner] });

/** @returns the address of an owner's wallet, deployed or not */
export const contractWalletOf = ({ chain, factory }: WalletChain, owner: Hex): Promise<Hex> =>
  chain.public.readContract({ address: factory, abi, functionName: 'addressOf', args: [owner] });

/** @returns the address of the wallet, which is the same on all chains */
export const deployContractWallet = async (place: WalletChain, owner: Hex): Promise<Hex> => {
  const { chain, factory } = place;
  const sent = chain.wallet.sendTransaction({
    account: chain.account(0),
    to: factory,
    data: factoryCall(owner),
    chain: chain.public.chain,
  });
  await chain.receipt(sent);
  return contractWalletOf(place, owner);
};

/** @returns what the owner signs, in the form in which the wallet takes it (ERC-1271) */
export const signHashByWallet = async (
  { chain }: WalletChain,
  address: Hex,
  owner: PrivateKeyAccount,
  hash: Hex,
): Promise<Hex> => {
  const inner = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }],
    [BigInt(chain.chainId), address, hash],
  );
  const signature = await owner.sign({ hash: keccak256(inner) });
  return encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, signature]);
};

/** @returns a function that signs texts (EIP-191) */
export const byWallet = (place: WalletChain, address: Hex, owner: PrivateKeyAccount) => (text: string) =>
  signHashByWallet(place, address, owner, hashMessage(text));

/** The same for a wallet that nobody has deployed yet (ERC-6492). */
export const byFutureWallet = (place: WalletChain, address: Hex, owner: PrivateKeyAccount) => async (text: string) =>
  serializeErc6492Signature({
    address: place.factory,
    data: factoryCall(owner.address),
    signature: await byWallet(place, address, owner)(text),
  });
