import { eip712 } from '@farcaster/core';
import { type Address, type Hex, hashTypedData } from 'viem';

/**
 * @param claim `timestamp` in Unix seconds
 * @returns what owners and the registry sign for a name (EIP-712 `UserNameProof`, @farcaster/core)
 */
export const nameClaimHash = (claim: {
  readonly name: string;
  readonly timestamp: number;
  readonly owner: Address;
}): Hex =>
  hashTypedData({
    ...eip712.USERNAME_PROOF_EIP_712_TYPES,
    primaryType: 'UserNameProof',
    message: { ...claim, timestamp: BigInt(claim.timestamp) },
  });
