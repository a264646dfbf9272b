import { StorageLimitsResponse, StorageUnitType, StoreType, TierType } from '@farcaster/core';
import { selectStorage } from '../../ingest/kind/storage.js';
import { MessageSet } from '../../protocol/conflict.js';
import { storageLimit } from '../../protocol/storage-limit.js';
import { selectStoreUse } from '../../store/hub/message-count.js';
import { selectProExpiry } from '../../store/hub/storage.js';
import { hubLookupUserStorageLimit } from '../hub/account/hub-lookup-user-storage-limit.js';
import { readOldest } from '../hub/account/oldest-message.js';
import { type Rpc, rpc } from './rpc.js';

/** The stores in the order in which hubs list them, with the sets whose messages each counts. */
const STORES = [
  [StoreType.CASTS, [MessageSet.cast]],
  [StoreType.LINKS, [MessageSet.link, MessageSet.linkCompactState]],
  [StoreType.REACTIONS, [MessageSet.reaction]],
  [StoreType.USER_DATA, [MessageSet.userData]],
  [StoreType.VERIFICATIONS, [MessageSet.verification]],
  [StoreType.USERNAME_PROOFS, [MessageSet.usernameProof]],
  [StoreType.STORAGE_LENDS, [MessageSet.storageLending]],
] as const;

const UNIT_TYPES = [
  StorageUnitType.UNIT_TYPE_LEGACY,
  StorageUnitType.UNIT_TYPE_2024,
  StorageUnitType.UNIT_TYPE_2025,
] as const;

/** @source `get_storage_limits` of snapchain's `src/storage/store/stores.rs` */
export const STORAGE_RPC: Rpc = rpc('getCurrentStorageLimitsByFid', hubLookupUserStorageLimit, {
  handle: async ({ fid }, { db, hub, clock }) => {
    const [storages, proUntil, uses] = await Promise.all([
      selectStorage(db, [fid], hub.network, clock()),
      selectProExpiry(db, fid),
      selectStoreUse(db, fid),
    ]);
    const { rented, lendable, fillable } = storages.get(fid) as NonNullable<ReturnType<typeof storages.get>>;
    const useOf = new Map(uses.map((use) => [use.messageSet, use]));
    return StorageLimitsResponse.encode({
      limits: STORES.map(([storeType, sets]) => ({
        storeType,
        name: StoreType[storeType] as string,
        // Lent units cannot be lent again by those who borrowed them.
        limit: storageLimit(sets[0], storeType === StoreType.STORAGE_LENDS ? rented : fillable),
        used: sets.reduce((sum, set) => sum + (useOf.get(set)?.used ?? 0), 0),
        ...readOldest(useOf.get(sets[0])?.oldest),
      })),
      units: UNIT_TYPES.reduce((sum, type) => sum + fillable[type], 0),
      unitDetails: UNIT_TYPES.map((unitType) => ({
        unitType,
        unitSize: fillable[unitType],
        purchasedUnitSize: rented[unitType],
        lentUnitSize: rented[unitType] - lendable[unitType],
        borrowedUnitSize: fillable[unitType] - lendable[unitType],
      })),
      tierSubscriptions: [{ tierType: TierType.Pro, expiresAt: proUntil ? Math.floor(proUntil.getTime() / 1000) : 0 }],
    }).finish();
  },
});
