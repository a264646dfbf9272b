import { UserNameProof, UserNameType } from '@farcaster/core';
import type { Address, Hex } from 'viem';

/** A name that a registry gave to an account, or took from one. */
export interface NameTransfer {
  readonly name: string;
  /** Account that had the name; 0: none. */
  readonly from: number;
  /** Account that has it; 0: it was released. */
  readonly to: number;
  readonly owner: Address;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Of the registry, over name, timestamp and owner. */
  readonly serverSignature: Hex;
}

/** A request to get a name (`from` 0), to release it (`to` 0) or to give it to another account. */
export interface NameTransferRequest {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The account that signs. */
  readonly fid: number;
  /** Its custody address. */
  readonly owner: Address;
  /** Unix seconds; at most ten minutes from now. */
  readonly timestamp: number;
  /** By `owner`, over name, timestamp and owner (`nameClaimHash`). */
  readonly signature: Hex;
}

/** The registry of names without a domain. */
export interface NameRegistry {
  /**
   * @returns the latest transfer of a name; undefined if nobody ever had it
   * @throws AppError if the registry does not respond
   */
  current(name: string): Promise<NameTransfer | undefined>;
  /**
   * @throws AppError conflict if the name is taken, invalid for other rejections, and if the registry does not respond
   */
  transfer(request: NameTransferRequest): Promise<NameTransfer>;
}

/** @returns the proof for hubs and for the store */
export const proofOf = ({ name, to, owner, timestamp, serverSignature }: NameTransfer): UserNameProof =>
  UserNameProof.create({
    name: Buffer.from(name),
    fid: to,
    owner: Buffer.from(owner.slice(2), 'hex'),
    timestamp,
    signature: Buffer.from(serverSignature.slice(2), 'hex'),
    type: UserNameType.USERNAME_TYPE_FNAME,
  });
