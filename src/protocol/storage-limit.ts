import {
  FarcasterNetwork,
  type LendStorageBody,
  MessageType,
  type OnChainEvent,
  StorageUnitType,
} from '@farcaster/core';
import { type Contender, MessageSet } from './conflict.js';

/** Units of storage by `StorageUnitType` number. What a unit holds depends on when it was rented. */
export type StorageUnits = Readonly<Record<StorageUnitType, number>>;

/** The units that one rent event pays for. */
export interface RentedUnits {
  readonly unitType: StorageUnitType;
  readonly units: number;
  /** Unix seconds; the units count until then and not after, there is no further grace. */
  readonly expiresAt: number;
}

/** The sets of messages that storage limits, by their names in `StoreType` of the protocol. */
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

/** Messages that one unit holds. Source: `Limits::of_type` in snapchain's `stores.rs`. */
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
 * The ends of the periods, in Unix seconds: units rented before `legacy` are legacy units, before `y2024` units of
 * 2024, later ones units of 2025; those rented before `y2025` got a year more at that moment, as all older ones did.
 * Source: `UNIT_TYPE_*_CUTOFF_TIMESTAMP` in snapchain's `onchain_event_store.rs`.
 */
const MAINNET_CUTOFF = { legacy: 1_724_889_600, y2024: 1_752_685_200, y2025: 1_782_147_600 };
const OTHER_CUTOFF = { legacy: 1_724_889_600, y2024: 1_752_426_000, y2025: 1_781_283_600 };

/**
 * @param now Unix milliseconds; units rented long ago were prolonged by later decisions of the protocol
 * @returns what a rent event pays for, or undefined for an event of another type.
 * The `expiry` in the event does not count: hubs go by the time of the block.
 * @source `StorageSlot::from_event` in snapchain's `onchain_event_store.rs`
 */
export function rentedUnits(event: OnChainEvent, network: FarcasterNetwork, now: number): RentedUnits | undefined {
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
}

/** What decides how many units an account has. */
export interface StorageSources {
  /** The account's onchain events; those that are no rent are passed over. */
  readonly events: readonly OnChainEvent[];
  /** Bodies of the account's own lending messages in force. */
  readonly lent?: readonly LendStorageBody[];
  /** Bodies of the lending messages of others, in force, whose `toFid` is the account. */
  readonly borrowed?: readonly LendStorageBody[];
}

/**
 * @param now Unix milliseconds
 * @returns the units an account can fill: rented and not expired, less those lent, and those borrowed.
 * Never below zero: units that were lent and then expired are simply gone.
 * @source `get_storage_slot_for_fid` in snapchain's `onchain_event_store.rs`
 */
export function activeUnits(sources: StorageSources, network: FarcasterNetwork, now: number): StorageUnits {
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
}

/** Keys that messages registered and that are active, for each account. Source: snapchain `MAX_GASLESS_KEYS_PER_FID`. */
export const MAX_ACTIVE_KEYS = 1000;

/** Keys that messages registered, those removed included: removals stay, so that an older registration cannot return. */
const MAX_KEYS = 10 * MAX_ACTIVE_KEYS;

const unitsOfAllTypes = (units: StorageUnits): number => units[0] + units[1] + units[2];

/**
 * @param set a number of `MessageSet`
 * @returns how many messages of the set an account with these units may hold, adds and removals together. Links and
 * their compact states share one limit. Without units there is no room for anything; for kinds that nobody knows, never.
 */
export function storageLimit(set: number, units: StorageUnits): number {
  if (set === MessageSet.key) return unitsOfAllTypes(units) > 0 ? MAX_KEYS : 0;
  const store: StoreName | undefined = LIMITED_SETS[set as keyof typeof LIMITED_SETS];
  if (store === undefined) return 0;
  let limit = 0;
  for (const unitType of [0, 1, 2] as const) limit += units[unitType] * MESSAGES_PER_UNIT[unitType][store];
  return limit;
}

/**
 * @param set a number of `MessageSet`
 * @returns whether the oldest messages make room for a new one. Loans and keys are never pruned: the new message is
 * refused instead.
 * @source `prune_messages` in snapchain's `engine.rs`
 */
export const isPruned = (set: number): boolean => set in LIMITED_SETS && set !== MessageSet.storageLending;

/**
 * @param held all messages of an account under one limit, in any order
 * @returns those to prune, oldest first by timestamp and hash, so that `limit` remain. Compact states count but are
 * never pruned. Which messages remain depends on the set held alone, not on the order of arrival.
 * @source `prune_messages` in snapchain's `store.rs`
 */
export function messagesOverLimit<Held extends Contender>(held: readonly Held[], limit: number): Held[] {
  const excess = held.length - limit;
  if (excess <= 0) return [];
  return held
    .filter((message) => message.type !== MessageType.LINK_COMPACT_STATE)
    .sort((a, b) => a.timestamp - b.timestamp || Buffer.compare(a.envelope.hash, b.envelope.hash))
    .slice(0, excess);
}
