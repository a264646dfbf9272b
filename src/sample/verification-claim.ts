import {
  eip712,
  type FarcasterNetwork,
  makeUserNameProofClaim,
  makeVerificationAddressClaim,
  Protocol,
  recreateSolanaClaimMessage,
  SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
  type UserNameProof,
  type UserNameType,
  type VerificationAddAddressBody,
  type VerificationAddressClaimEthereum,
  type VerificationAddressClaimSolana,
} from '@farcaster/core';
import { bytesToHex, encodeAbiParameters, hexToBytes } from 'viem';
import { SIGNED_KEY_REQUEST } from '../protocol/eip712.js';
import { type SignerKey, type Wallet, wallet } from './key.js';
import { derive } from './random.js';

const nameServers = new Map<string, Wallet>();

/** @returns the wallet that signs the username proofs of a seed, like the public name server */
export const nameServer = (seed: string): Wallet => {
  const known = nameServers.get(seed);
  if (known !== undefined) return known;
  const made = wallet(derive(seed, 'name server'));
  nameServers.set(seed, made);
  return made;
};

/** The address of a verification, and its network. */
export interface AddressClaim {
  readonly fid: number;
  readonly network: FarcasterNetwork;
  /** 32 bytes: a recent block of the chain, against replay */
  readonly blockHash: Uint8Array;
}

/** @returns the body of a verification whose EIP-712 claim the owner of the address signed */
export const ethereumVerification = async (claim: AddressClaim, owner: Wallet): Promise<VerificationAddAddressBody> => {
  const { fid, network, blockHash } = claim;
  const made = makeVerificationAddressClaim(fid, owner.address, network, blockHash, Protocol.ETHEREUM);
  const signature = await owner.account.signTypedData({
    domain: eip712.EIP_712_FARCASTER_DOMAIN,
    types: { VerificationClaim: eip712.EIP_712_FARCASTER_VERIFICATION_CLAIM },
    primaryType: 'VerificationClaim',
    message: made._unsafeUnwrap() as VerificationAddressClaimEthereum,
  });
  return addressBody(Protocol.ETHEREUM, owner.address, hexToBytes(signature), blockHash);
};

/** @returns the body of a verification of a contract wallet, which only its chain can verify */
export const contractVerification = (
  { blockHash }: AddressClaim,
  address: Uint8Array,
  chainId: number,
): VerificationAddAddressBody => {
  const unsigned = addressBody(Protocol.ETHEREUM, address, new Uint8Array(300).fill(1), blockHash);
  return { ...unsigned, verificationType: 1, chainId };
};

/** @returns the body of a verification of a Solana address; the address is the Ed25519 key itself */
export const solanaVerification = (claim: AddressClaim, owner: SignerKey): VerificationAddAddressBody => {
  const { fid, network, blockHash } = claim;
  const made = makeVerificationAddressClaim(fid, owner.publicKey, network, blockHash, Protocol.SOLANA);
  const text = recreateSolanaClaimMessage(made._unsafeUnwrap() as VerificationAddressClaimSolana, owner.publicKey);
  return addressBody(Protocol.SOLANA, owner.publicKey, owner.sign(text), blockHash);
};

const addressBody = (
  protocol: Protocol,
  address: Uint8Array,
  claimSignature: Uint8Array,
  blockHash: Uint8Array,
): VerificationAddAddressBody => ({ protocol, address, claimSignature, blockHash, verificationType: 0, chainId: 0 });

/** Content of a username proof. */
export interface NameClaim {
  readonly fid: number;
  readonly name: string;
  /** Unix seconds */
  readonly timestamp: number;
  /** 20 bytes: owner of the name */
  readonly owner: Uint8Array;
  readonly type: UserNameType;
}

/** @returns the proof, signed (EIP-712) by the name server for a username, by the owner for an ENS name */
export const usernameProof = async (claim: NameClaim, signedBy: Wallet): Promise<UserNameProof> => {
  const { name, timestamp, owner, fid, type } = claim;
  const signature = await signedBy.account.signTypedData({
    ...eip712.USERNAME_PROOF_EIP_712_TYPES,
    primaryType: 'UserNameProof',
    message: makeUserNameProofClaim({ name, owner: bytesToHex(owner), timestamp }),
  });
  return { timestamp, name: Buffer.from(name), owner, signature: hexToBytes(signature), fid, type };
};

/** The app that requests a signer key, shown as the app of the casts that the key signs. */
export interface KeyRequester {
  readonly fid: number;
  readonly wallet: Wallet;
}

/**
 * @param key 32 bytes
 * @param deadline Unix seconds until which the request may go onchain
 * @returns the requester's EIP-712 signature of the key request, 0x and 130 hex digits
 */
export const signKeyClaim = (key: Uint8Array, requester: KeyRequester, deadline: number): Promise<`0x${string}`> =>
  requester.wallet.account.signTypedData({
    ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
    primaryType: 'SignedKeyRequest',
    message: { requestFid: BigInt(requester.fid), deadline: BigInt(deadline), key: bytesToHex(key) },
  });

/**
 * @param deadline Unix seconds until which the request may go onchain
 * @returns the ABI-encoded metadata of a key event: request fid, its address, its EIP-712 signature, the deadline
 */
export const signedKeyRequest = async (
  key: Uint8Array,
  requester: KeyRequester,
  deadline: number,
): Promise<Uint8Array> => {
  const request = { requestFid: BigInt(requester.fid), deadline: BigInt(deadline) };
  const signature = await signKeyClaim(key, requester, deadline);
  const requestSigner = requester.wallet.account.address;
  return hexToBytes(encodeAbiParameters(SIGNED_KEY_REQUEST, [{ ...request, requestSigner, signature }]));
};
