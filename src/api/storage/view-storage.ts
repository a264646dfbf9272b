import { type FarcasterNetwork, MessageType, OnChainEvent, OnChainEventType } from '@farcaster/core';
import type { Static } from 'typebox';
import type { Reads } from '../../cache/read-cache.js';
import { userByFid } from '../../hydrate/user.js';
import { selectStorage } from '../../ingest/kind/storage.js';
import { MessageSet } from '../../protocol/conflict.js';
import { rentedUnits, type StorageUnits, storageLimit } from '../../protocol/storage-limit.js';
import type { StorageAllocationsResponse, StorageUsageResponse } from '../../schema/account/storage.js';
import type { UserDehydrated } from '../../schema/social/user-dehydrated.js';
import { selectMessageCounts, selectSignerCount } from '../../store/hub/message-count.js';
import { selectOnchainEventsByType } from '../../store/hub/onchain-event.js';
import { viewUserDehydratedOf } from '../../view/user-dehydrated.js';
import type { Services } from '../http/service.js';

type Parts = Pick<Services, 'db' | 'clock' | 'hub' | 'reads'>;

const NO_UNITS: StorageUnits = { 0: 0, 1: 0, 2: 0 };

/** Active keys that the key registry accepts for an account (KeyRegistry.maxKeysPerFid). */
const MAX_KEYS = 1000;

const total = (units: StorageUnits): number => units[0] + units[1] + units[2];

/** @returns the units that an account may fill now */
export const activeUnitsOf = async ({ db, clock, hub }: Omit<Parts, 'reads'>, fid: number): Promise<StorageUnits> =>
  (await selectStorage(db, [fid], hub.network, clock())).get(fid)?.fillable ?? NO_UNITS;

/** @returns undefined for an account that is not stored; neutral names, as a stored response needs */
const userOf = async (reads: Reads, fid: number): Promise<UserDehydrated | undefined> => {
  const user = (await reads.forDialect('neutral').open().get(userByFid, [fid])).get(fid);
  if (user) return JSON.parse(viewUserDehydratedOf(user)) as UserDehydrated;
  return fid === 0 ? undefined : { object: 'user_dehydrated', fid };
};

/** The last second with a year of four digits in ISO 8601; onchain times have 64 bits, and later ones are shown as it. */
const LATEST_S = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

const iso = (seconds: number): string => new Date(Math.min(seconds, LATEST_S) * 1000).toISOString();

const byTimeDescending = (a: OnChainEvent, b: OnChainEvent): number =>
  b.blockTimestamp - a.blockTimestamp || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex;

const viewAllocation = (
  event: OnChainEvent,
  { network, now, user }: { readonly network: FarcasterNetwork; readonly now: number; readonly user?: UserDehydrated },
) => {
  const rented = rentedUnits(event, network, now);
  if (!rented) return [];
  const { units, expiresAt } = rented;
  return [
    {
      object: 'storage_allocation',
      ...(user && { user }),
      units,
      expiry: iso(expiresAt),
      timestamp: iso(event.blockTimestamp),
    },
  ];
};

/** @returns what was rented for an account, newest first, also what expired */
export const viewAllocations = async (
  parts: Parts,
  fid: number,
): Promise<Static<typeof StorageAllocationsResponse>> => {
  const [rents, units, user] = await Promise.all([
    selectOnchainEventsByType(parts.db, fid, OnChainEventType.EVENT_TYPE_STORAGE_RENT),
    activeUnitsOf(parts, fid),
    userOf(parts.reads, fid),
  ]);
  const shown = { network: parts.hub.network, now: parts.clock(), ...(user && { user }) };
  return {
    total_active_units: total(units),
    allocations: rents
      .map((body) => OnChainEvent.decode(body))
      .sort(byTimeDescending)
      .flatMap((event) => viewAllocation(event, shown)),
  };
};

/** The kinds of messages under each limit. */
const COUNTED = {
  casts: [MessageSet.cast, [MessageType.CAST_ADD, MessageType.CAST_REMOVE]],
  reactions: [MessageSet.reaction, [MessageType.REACTION_ADD, MessageType.REACTION_REMOVE]],
  links: [MessageSet.link, [MessageType.LINK_ADD, MessageType.LINK_REMOVE, MessageType.LINK_COMPACT_STATE]],
  verified_addresses: [
    MessageSet.verification,
    [MessageType.VERIFICATION_ADD_ETH_ADDRESS, MessageType.VERIFICATION_REMOVE],
  ],
  username_proofs: [MessageSet.usernameProof, [MessageType.USERNAME_PROOF]],
} as const;

/** @returns how much of its storage an account uses */
export const viewUsage = async (parts: Parts, fid: number): Promise<Static<typeof StorageUsageResponse>> => {
  const [units, counts, keys, user] = await Promise.all([
    activeUnitsOf(parts, fid),
    selectMessageCounts(parts.db, fid),
    selectSignerCount(parts.db, fid),
    userOf(parts.reads, fid),
  ]);
  const limited = (name: keyof typeof COUNTED) => {
    const [set, types] = COUNTED[name];
    const used = types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
    return { object: 'storage', used, capacity: storageLimit(set, units) };
  };
  return {
    object: 'storage_usage',
    ...(user && { user }),
    total_active_units: total(units),
    casts: limited('casts'),
    reactions: limited('reactions'),
    links: limited('links'),
    verified_addresses: limited('verified_addresses'),
    username_proofs: limited('username_proofs'),
    signers: { object: 'storage', used: keys, capacity: MAX_KEYS },
  };
};
