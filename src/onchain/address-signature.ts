import type { Address, Hex } from 'viem';
import { isAddressEqual, recoverAddress } from 'viem/utils';
import { RPC_VARIABLES } from '../config/rpc.js';
import { isSignedByContract } from './contract-wallet.js';
import type { Network, Networks } from './network.js';

/** How an address may speak for an account: it has custody of it, or the account named it as auth address. */
export type AddressRole = 'custody' | 'auth';

/**
 * Networks of contract wallets. Accounts are registered on OP Mainnet (Farcaster IdRegistry), so a custody wallet is
 * there. An auth address may be a wallet on another chain: the Base app signs with wallets on Base.
 */
export const WALLET_NETWORKS: Readonly<Record<AddressRole, readonly Network[]>> = {
  custody: ['optimism'],
  auth: ['optimism', 'base'],
};

/** Signatures of contract wallets with a passkey and deployment data (ERC-6492) are below 2 kB. */
export const MAX_SIGNATURE_BYTES = 8192;

/** Characters of the signature of a key: 0x and 65 bytes. */
const KEY_SIGNATURE_LENGTH = 132;

export interface SignedHash {
  readonly address: Address;
  /** 32 bytes. */
  readonly hash: Hex;
  readonly signature: Hex;
}

/** @returns whether the key of the address signed the hash */
export const isSignedByKey = async ({ address, hash, signature }: SignedHash): Promise<boolean> => {
  if (signature.length !== KEY_SIGNATURE_LENGTH) return false;
  // Recovery fails for bytes that no key signs.
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
  return signer !== undefined && isAddressEqual(signer, address);
};

/**
 * Verifies a signature by computation, then as that of a contract wallet (ERC-1271, ERC-6492) by a call to the chain. Check
 * first that the address belongs to an account, so that strangers cannot cause calls to contracts of their choice.
 * @param among possible networks of a contract wallet
 * @returns whether the address signed the hash; undefined: only a chain could say, and none of them is configured
 * @throws AppError if a chain does not respond
 */
export const isSignedByAddress = async (
  networks: Networks,
  among: readonly Network[],
  signed: SignedHash,
): Promise<boolean | undefined> => {
  if (await isSignedByKey(signed)) return true;
  if (signed.signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) return false;
  return isSignedByContract(networks, among, signed);
};

/** @returns what an operator has to set so that signatures of contract wallets can be verified */
export const variablesOf = (among: readonly Network[]): string =>
  among.map((network) => RPC_VARIABLES[network]).join(' or ');
