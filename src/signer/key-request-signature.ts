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
