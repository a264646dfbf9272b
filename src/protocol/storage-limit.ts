import {
  FarcasterNetwork,
  type LendStorageBody,
  MessageType,
  type OnChainEvent,
  StorageUnitType,
} from '@farcaster/core';
import { type ConflictCandidate, MessageSet } from './conflict.js';

/** Units of storage by `StorageUnitType` number. The capacity of a unit depends on when it was rented. */
export type StorageUnits = Readonly<Record<StorageUnitType, number>>;

/** The units of one rent event. */
export interface RentedUnits {
  readonly unitType: StorageUnitType;
  readonly units: number;
  /** Unix seconds; the units count until then, without a grace period. */
  readonly expiresAt: number;
}

/** The message sets with a storage limit, by their names in the protocol's `StoreType`. */
const LIMITED_SETS = {
  [MessageSet.cast]: 'casts',
  [MessageSet.link]: 'links',
  [MessageSet.linkCompactState]: 'links',
  [MessageSet.reaction]: 'reactions',
  [MessageSet.userData]: 'userData',
  [MessageSet.verification]: 'verifications',
  [MessageSet.usernameProof]: 'usernameProofs',
  [MessageSet.storageLending]: 'storageLends',
} as const;

type StoreName = (typeof LIMITED_SETS)[keyof typeof LIMITED_SETS];

/** Messages per unit. Source: `Limits::of_type` in snapchain's `stores.rs`. */
const MESSAGES_PER_UNIT: Readonly<Record<StorageUnitType, Readonly<Record<StoreName, number>>>> = {
  [StorageUnitType.UNIT_TYPE_LEGACY]: {
    casts: 5000,
    links: 2500,
    reactions: 2500,
    userData: 50,
    verifications: 25,
    usernameProofs: 5,
    storageLends: 1,
  },
  [StorageUnitType.UNIT_TYPE_2024]: {
    casts: 2000,
    links: 1000,
    reactions: 1000,
    userData: 50,
    verifications: 25,
    usernameProofs: 5,
    storageLends: 1,
  },
  [StorageUnitType.UNIT_TYPE_2025]: {
    casts: 100,
    links: 200,
    reactions: 200,
    userData: 25,
    verifications: 5,
    usernameProofs: 2,
    storageLends: 1,
  },
};

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Ends of the rental periods, in Unix seconds: units rented before `legacy` are legacy units, before `y2024` units of
 * 2024, later ones units of 2025. At the end of `y2025` all older units were prolonged by a year. Source:
 * `UNIT_TYPE_*_CUTOFF_TIMESTAMP` in snapchain's `onchain_event_store.rs`.
 */
const MAINNET_CUTOFF = { legacy: 1_724_889_600, y2024: 1_752_685_200, y2025: 1_782_147_600 };
const OTHER_CUTOFF = { legacy: 1_724_889_600, y2024: 1_752_426_000, y2025: 1_781_283_600 };

/**
 * @param now Unix milliseconds; older units were prolonged by later decisions of the protocol
 * @returns the units of a rent event, or undefined for an event of another type. The `expiry` in the event is ignored:
 *   hubs use the time of the block.
 * @source `StorageSlot::from_event` in snapchain's `onchain_event_store.rs`
 */
export const rentedUnits = (event: OnChainEvent, network: FarcasterNetwork, now: number): RentedUnits | undefined => {
  const rent = event.storageRentEventBody;
  if (!rent) return undefined;
  const cutoff = network === FarcasterNetwork.MAINNET ? MAINNET_CUTOFF : OTHER_CUTOFF;
  const at = event.blockTimestamp;
  const prolonged = now / 1000 >= cutoff.y2025 ? 1 : 0;
  const lasting = (unitType: StorageUnitType, years: number): RentedUnits => ({
    unitType,
    units: rent.units,
    expiresAt: at + years * YEAR_S,
  });
  if (at < cutoff.legacy) return lasting(StorageUnitType.UNIT_TYPE_LEGACY, 3 + prolonged);
  if (at < cutoff.y2024) return lasting(StorageUnitType.UNIT_TYPE_2024, 2 + prolonged);
  return lasting(StorageUnitType.UNIT_TYPE_2025, at < cutoff.y2025 ? 1 + prolonged : 1);
};

/** Everything that decides how many units an account has. */
export interface StorageSources {
  /** The account's onchain events; only rent events count. */
  readonly events: readonly OnChainEvent[];
  /** Bodies of the account's active lending messages. */
  readonly lent?: readonly LendStorageBody[];
  /** Bodies of other accounts' active lending messages whose `toFid` is the account. */
  readonly borrowed?: readonly LendStorageBody[];
}

/**
 * @param now Unix milliseconds
 * @returns the units that an account can use: rented ones that have not expired, minus lent ones, plus borrowed ones.
 *   Never below zero, even if lent units have expired.
 * @source `get_storage_slot_for_fid` in snapchain's `onchain_event_store.rs`
 */
export const activeUnits = (sources: StorageSources, network: FarcasterNetwork, now: number): StorageUnits => {
  const units: Record<StorageUnitType, number> = { 0: 0, 1: 0, 2: 0 };
  for (const event of sources.events) {
    const rented = rentedUnits(event, network, now);
    if (rented && now / 1000 < rented.expiresAt) units[rented.unitType] += rented.units;
  }
  for (const loan of sources.lent ?? []) {
    units[loan.unitType] = Math.max(0, units[loan.unitType] - loan.numUnits);
  }
  for (const loan of sources.borrowed ?? []) units[loan.unitType] += loan.numUnits;
  return units;
};

/** Active keys that messages registered, per account. Source: snapchain `MAX_GASLESS_KEYS_PER_FID`. */
export const MAX_ACTIVE_KEYS = 1000;

/**
 * Keys that messages registered, including removed ones, which are stored so that an older registration cannot return.
 */
const MAX_KEYS = 10 * MAX_ACTIVE_KEYS;

const unitsOfAllTypes = (units: StorageUnits): number => units[0] + units[1] + units[2];

/**
 * @param set a number of `MessageSet`
 * @returns how many messages of the set an account with these units may store, adds and removals together. Links and
 *   their compact states share one limit. 0 without units and for unknown sets.
 */
export const storageLimit = (set: number, units: StorageUnits): number => {
  if (set === MessageSet.key) return unitsOfAllTypes(units) > 0 ? MAX_KEYS : 0;
  const store: StoreName | undefined = LIMITED_SETS[set as keyof typeof LIMITED_SETS];
  if (store === undefined) return 0;
  let limit = 0;
  for (const unitType of [0, 1, 2] as const) limit += units[unitType] * MESSAGES_PER_UNIT[unitType][store];
  return limit;
};

/**
 * @param set a number of `MessageSet`
 * @returns whether the oldest messages are pruned to make room for a new one. Loans and keys are not pruned: a new
 *   message is rejected instead.
 * @source `prune_messages` in snapchain's `engine.rs`
 */
export const isPruned = (set: number): boolean => set in LIMITED_SETS && set !== MessageSet.storageLending;

/**
 * @param messages all messages of an account under one limit, in any order
 * @returns those to prune so that `limit` remain, oldest first by timestamp and hash. Compact states count but are
 *   never pruned. The result does not depend on the order of arrival.
 * @source `prune_messages` in snapchain's `store.rs`
 */
export const messagesOverLimit = <Candidate extends ConflictCandidate>(
  messages: readonly Candidate[],
  limit: number,
): Candidate[] => {
  const excess = messages.length - limit;
  if (excess <= 0) return [];
  return messages
    .filter((message) => message.type !== MessageType.LINK_COMPACT_STATE)
    .sort((a, b) => a.timestamp - b.timestamp || Buffer.compare(a.envelope.hash, b.envelope.hash))
    .slice(0, excess);
};
