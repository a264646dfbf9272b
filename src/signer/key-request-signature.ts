import { KEY_GATEWAY_ADDRESS, keyGatewayABI, SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES } from '@farcaster/core';
import { SIGNED_KEY_REQUEST } from '../protocol/eip712.js';

/** viem takes a while to load, and only who registers keys needs it. */
const loadViem = () => import('viem/utils');

/** What an app's account signs: that it asks accounts to take this key, until a moment. */
export interface KeyClaim {
  readonly requestFid: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Unix seconds. */
  readonly deadline: number;
}

/** The contract takes metadata of this type alone. */
const METADATA_TYPE = 1;

const SIGNATURE_BYTES = 65;
/** Half of the order of secp256k1: the contract refuses signatures with a greater s (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const hex = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`;

/**
 * @param text 0x and hex digits.
 * @returns the 65 bytes of an Ethereum signature as the contract takes it: s in the lower half, v 27 or 28; undefined
 *   for anything else.
 */
export const readSignature = (text: string): Uint8Array | undefined => {
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) return undefined;
  const bytes = new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  const last = bytes[SIGNATURE_BYTES - 1] as number;
  const v = last < 2 ? last + 27 : last;
  if (v !== 27 && v !== 28) return undefined;
  if (BigInt(`0x${text.slice(66, 130)}`) > MAX_S) return undefined;
  bytes[SIGNATURE_BYTES - 1] = v;
  return bytes;
};

const bytesOf = (address: string): Uint8Array => new Uint8Array(Buffer.from(address.slice(2), 'hex'));

/** Recovery fails for values that nobody's key can have made. */
const recovered = async (address: Promise<string>): Promise<Uint8Array | undefined> =>
  address.then(bytesOf, () => undefined);

/**
 * @returns the 20-byte address that signed the claim (EIP-712, domain `Farcaster SignedKeyRequestValidator` on OP
 *   Mainnet, as GAPS 4.9 and @farcaster/core say); undefined when no address has.
 */
export const recoverKeyClaim = async (claim: KeyClaim, signature: Uint8Array): Promise<Uint8Array | undefined> => {
  const { recoverTypedDataAddress } = await loadViem();
  return recovered(
    recoverTypedDataAddress({
      ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
      primaryType: 'SignedKeyRequest',
      message: { requestFid: BigInt(claim.requestFid), key: hex(claim.key), deadline: BigInt(claim.deadline) },
      signature: hex(signature),
    }),
  );
};

/**
 * @param claimed the text of the app's signature, byte for byte as it was sent
 * @returns the 20-byte address that sponsors the claim: it signs the app's signature as an EIP-191 message (the
 *   protocol's reference on signer requests); undefined when no address has.
 */
export const recoverSponsor = async (claimed: string, signature: Uint8Array): Promise<Uint8Array | undefined> => {
  const { recoverMessageAddress } = await loadViem();
  return recovered(recoverMessageAddress({ message: { raw: claimed as `0x${string}` }, signature: hex(signature) }));
};

/** A claim with the signature that was found good. */
export interface SignedClaim extends KeyClaim {
  /** 20 bytes: the custody address of `requestFid`. */
  readonly requestSigner: Uint8Array;
  readonly signature: Uint8Array;
}

/** @returns the ABI-encoded metadata with which the key goes on chain. */
export const keyMetadata = async (claim: SignedClaim): Promise<Uint8Array> => {
  const { encodeAbiParameters } = await loadViem();
  const encoded = encodeAbiParameters(SIGNED_KEY_REQUEST, [
    {
      requestFid: BigInt(claim.requestFid),
      requestSigner: hex(claim.requestSigner),
      signature: hex(claim.signature),
      deadline: BigInt(claim.deadline),
    },
  ]);
  return bytesOf(encoded);
};

/** @returns the call with which an account takes the key: `KeyGateway.add` on OP Mainnet (Farcaster contracts). */
export const keyGatewayCall = async (
  claim: SignedClaim,
  keyType: number,
): Promise<{ readonly chainId: number; readonly to: string; readonly data: string }> => {
  const { encodeFunctionData } = await loadViem();
  const metadata = hex(await keyMetadata(claim));
  return {
    chainId: SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES.domain.chainId,
    to: KEY_GATEWAY_ADDRESS,
    data: encodeFunctionData({
      abi: keyGatewayABI,
      functionName: 'add',
      args: [keyType, hex(claim.key), METADATA_TYPE, metadata],
    }),
  };
};
