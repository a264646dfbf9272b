import { MessageType, Protocol } from '@farcaster/core';
import type { Draft } from './unsigned-message.js';

/** A signed claim of an Ethereum address. */
export interface AddressClaim {
  /** 20 bytes */
  readonly address: Uint8Array;
  /** 32 bytes */
  readonly blockHash: Uint8Array;
  /** EIP-712; 65 bytes of an account, up to 2048 of a contract wallet */
  readonly signature: Uint8Array;
  /** 0 for an account, 1 for a contract */
  readonly type: number;
  /** Chain id of the contract; 0 for an account. */
  readonly chainId: number;
}

export const draftVerification = ({ address, blockHash, signature, type, chainId }: AddressClaim): Draft => ({
  type: MessageType.VERIFICATION_ADD_ETH_ADDRESS,
  verificationAddAddressBody: {
    address,
    blockHash,
    claimSignature: signature,
    verificationType: type,
    chainId,
    protocol: Protocol.ETHEREUM,
  },
});

/** @param address of Ethereum, 20 bytes */
export const draftVerificationRemoval = (address: Uint8Array): Draft => ({
  type: MessageType.VERIFICATION_REMOVE,
  verificationRemoveBody: { address, protocol: Protocol.ETHEREUM },
});
