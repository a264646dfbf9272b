import { IdRegisterEventType, OnChainEvent, OnChainEventType, SignerEventType, TierType } from '@farcaster/core';
import { registryBlockAt } from '../protocol/registry-block.js';
import { toUnixMs } from '../protocol/time.js';
import { derive } from './random.js';

/** The registries are contracts of OP Mainnet. */
const REGISTRY_CHAIN = 10;
/** Tiers are bought on Base. */
const TIER_CHAIN = 8453;
/** Base makes a block every two seconds; Unix seconds of its first one. */
const TIER_CHAIN_START = 1_686_789_347;
const TIER_BLOCK_SECONDS = 2;
const YEAR_SECONDS = 365 * 86_400;

export interface BlockPosition {
  readonly seed: string;
  readonly fid: number;
  /** protocol seconds */
  readonly at: number;
  /** distinguishes events of one fid at one time */
  readonly logIndex: number;
}

/** @returns the registration of a fid to an address */
export const registerEvent = (place: BlockPosition, to: Uint8Array, recoveryAddress: Uint8Array): OnChainEvent =>
  event(place, OnChainEventType.EVENT_TYPE_ID_REGISTER, {
    idRegisterEventBody: { to, eventType: IdRegisterEventType.REGISTER, from: new Uint8Array(0), recoveryAddress },
  });

/** @returns the move of a fid to another custody address */
export const transferEvent = (place: BlockPosition, from: Uint8Array, to: Uint8Array): OnChainEvent =>
  event(place, OnChainEventType.EVENT_TYPE_ID_REGISTER, {
    idRegisterEventBody: { to, eventType: IdRegisterEventType.TRANSFER, from, recoveryAddress: new Uint8Array(0) },
  });

/**
 * @param keyType 1 Ed25519 signer, 2 auth address
 * @returns the event of an added key, or of a removed one without `metadata` (the ABI-encoded SignedKeyRequest)
 */
export const signerEvent = (place: BlockPosition, key: Uint8Array, metadata?: Uint8Array, keyType = 1): OnChainEvent =>
  event(place, OnChainEventType.EVENT_TYPE_SIGNER, {
    signerEventBody: {
      key,
      keyType,
      eventType: metadata === undefined ? SignerEventType.REMOVE : SignerEventType.ADD,
      metadata: metadata ?? new Uint8Array(0),
      metadataType: metadata === undefined ? 0 : 1,
    },
  });

/** @returns storage rented for a year */
export const rentEvent = (place: BlockPosition, payer: Uint8Array, units: number): OnChainEvent =>
  event(place, OnChainEventType.EVENT_TYPE_STORAGE_RENT, {
    storageRentEventBody: { payer, units, expiry: unixSeconds(place.at) + YEAR_SECONDS },
  });

/** @returns the pro tier bought for a number of days */
export const proEvent = (place: BlockPosition, payer: Uint8Array, forDays: number): OnChainEvent =>
  event(place, OnChainEventType.EVENT_TYPE_TIER_PURCHASE, {
    tierPurchaseEventBody: { tierType: TierType.Pro, forDays, payer },
  });

/** @returns Unix seconds of protocol seconds */
export const unixSeconds = (at: number): number => toUnixMs(at) / 1000;

const blockAt = (chainId: number, seconds: number): number =>
  chainId === REGISTRY_CHAIN
    ? registryBlockAt(seconds)
    : Math.max(0, Math.floor((seconds - TIER_CHAIN_START) / TIER_BLOCK_SECONDS));

const event = (place: BlockPosition, type: OnChainEventType, body: Partial<OnChainEvent>): OnChainEvent => {
  const chainId = type === OnChainEventType.EVENT_TYPE_TIER_PURCHASE ? TIER_CHAIN : REGISTRY_CHAIN;
  const blockTimestamp = unixSeconds(place.at);
  const blockNumber = blockAt(chainId, blockTimestamp);
  return OnChainEvent.create({
    type,
    chainId,
    blockNumber,
    blockHash: derive(place.seed, 'block', chainId, blockNumber),
    blockTimestamp,
    transactionHash: derive(place.seed, 'transaction', place.fid, type, place.at, place.logIndex),
    logIndex: place.logIndex,
    fid: place.fid,
    ...body,
  });
};
