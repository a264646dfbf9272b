import { KEY_GATEWAY_ADDRESS, keyGatewayABI, SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES } from '@farcaster/core';
import { fromHex, toHex } from '../hex.js';
import { SIGNED_KEY_REQUEST } from '../protocol/eip712.js';

/** viem takes a while to load and is only needed to register keys. */
const loadViem = () => import('viem/utils');

/** The claim that an app's account signs: it requests that accounts add this key until the deadline. */
export interface KeyClaim {
  readonly requestFid: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Unix seconds. */
  readonly deadline: number;
}

/** The only metadata type that the contract accepts. */
export const METADATA_TYPE = 1;

const SIGNATURE_BYTES = 65;
/** Half of the order of secp256k1: the contract rejects signatures with a greater s (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * @param text 0x and hex digits
 * @returns a 65-byte Ethereum signature in the form that the contract accepts, with s in the lower half and v 27 or 28;
 *   undefined for anything else
 */
export const readSignature = (text: string): Uint8Array | undefined => {
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) return undefined;
  const bytes = new Uint8Array(fromHex(text));
  const last = bytes[SIGNATURE_BYTES - 1] as number;
  const v = last < 2 ? last + 27 : last;
  if (v !== 27 && v !== 28) return undefined;
  if (BigInt(`0x${text.slice(66, 130)}`) > MAX_S) return undefined;
  bytes[SIGNATURE_BYTES - 1] = v;
  return bytes;
};

/** Recovery fails for values that no key can sign. */
const recovered = async (address: Promise<string>): Promise<Uint8Array | undefined> =>
  address.then(fromHex, () => undefined);

/**
 * @returns the 20-byte address that signed the claim (EIP-712, domain `Farcaster SignedKeyRequestValidator` on OP
 *   Mainnet, as GAPS 4.9 and @farcaster/core say); undefined for an invalid signature
 */
export const recoverKeyClaim = async (claim: KeyClaim, signature: Uint8Array): Promise<Uint8Array | undefined> => {
  const { recoverTypedDataAddress } = await loadViem();
  return recovered(
    recoverTypedDataAddress({
      ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
      primaryType: 'SignedKeyRequest',
      message: { requestFid: BigInt(claim.requestFid), key: toHex(claim.key), deadline: BigInt(claim.deadline) },
      signature: toHex(signature),
    }),
  );
};

/**
 * @param claimed the app's signature as text, exactly as sent
 * @returns the 20-byte address of the sponsor, which signs the app's signature as an EIP-191 message (the protocol's
 *   reference on signer requests); undefined for an invalid signature
 */
export const recoverSponsor = async (claimed: string, signature: Uint8Array): Promise<Uint8Array | undefined> => {
  const { recoverMessageAddress } = await loadViem();
  return recovered(recoverMessageAddress({ message: { raw: claimed as `0x${string}` }, signature: toHex(signature) }));
};

/** A claim with its verified signature. */
export interface SignedClaim extends KeyClaim {
  /** 20 bytes: the custody address of `requestFid`. */
  readonly requestSigner: Uint8Array;
  readonly signature: Uint8Array;
}

/** @returns the ABI-encoded metadata of the key for the contract */
export const keyMetadata = async (claim: SignedClaim): Promise<Uint8Array> => {
  const { encodeAbiParameters } = await loadViem();
  const encoded = encodeAbiParameters(SIGNED_KEY_REQUEST, [
    {
      requestFid: BigInt(claim.requestFid),
      requestSigner: toHex(claim.requestSigner),
      signature: toHex(claim.signature),
      deadline: BigInt(claim.deadline),
    },
  ]);
  return fromHex(encoded);
};

/** @returns the call with which an account adds the key: `KeyGateway.add` on OP Mainnet (Farcaster contracts) */
export const keyGatewayCall = async (
  claim: SignedClaim,
  keyType: number,
): Promise<{ readonly chainId: number; readonly to: string; readonly data: string }> => {
  const { encodeFunctionData } = await loadViem();
  const metadata = toHex(await keyMetadata(claim));
  return {
    chainId: SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES.domain.chainId,
    to: KEY_GATEWAY_ADDRESS,
    data: encodeFunctionData({
      abi: keyGatewayABI,
      functionName: 'add',
      args: [keyType, toHex(claim.key), METADATA_TYPE, metadata],
    }),
  };
};
