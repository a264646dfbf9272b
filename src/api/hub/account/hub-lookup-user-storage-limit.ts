import { StorageUnitType } from '@farcaster/core';
import Type, { type Static } from 'typebox';
import { MessageSet } from '../../../protocol/conflict.js';
import { type StorageUnits, storageLimit } from '../../../protocol/storage-limit.js';
import { HubStorageLimitsResponse } from '../../../schema/hub/storage.js';
import { selectStoreUse } from '../../../store/hub/message-count.js';
import { selectProExpiry } from '../../../store/hub/storage.js';
import { operation } from '../../http/operation.js';
import { activeUnitsOf } from '../../storage/view-storage.js';
import { fidQuery } from '../parameter.js';
import { readOldest } from './oldest-message.js';

type Limits = Static<typeof HubStorageLimitsResponse>;

const STORES = [
  ['STORE_TYPE_CASTS', MessageSet.cast],
  ['STORE_TYPE_LINKS', MessageSet.link],
  ['STORE_TYPE_REACTIONS', MessageSet.reaction],
  ['STORE_TYPE_USER_DATA', MessageSet.userData],
  ['STORE_TYPE_VERIFICATIONS', MessageSet.verification],
  ['STORE_TYPE_USERNAME_PROOFS', MessageSet.usernameProof],
] as const;

/** Newest first. */
const UNIT_TYPES = [
  [StorageUnitType.UNIT_TYPE_2025, 'UnitType2025'],
  [StorageUnitType.UNIT_TYPE_2024, 'UnitType2024'],
  [StorageUnitType.UNIT_TYPE_LEGACY, 'UnitTypeLegacy'],
] as const;

type UnitDetails = Required<Limits['unitDetails']>;

const detailsOf = (units: StorageUnits): UnitDetails[] =>
  UNIT_TYPES.map(([type, unitType]) => ({ unitType, unitSize: units[type] }));

export const hubLookupUserStorageLimit = operation({
  id: 'hub-lookup-user-storage-limit',
  path: '/v1/storageLimitsByFid',
  tags: ['Hub Storage'],
  title: 'Get storage limits',
  summary: 'Read the storage limits of a FID.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: fidQuery }),
  parameters: { fid: { description: 'The account whose limits are read.', example: 1 } },
  response: HubStorageLimitsResponse,
  handle: async ({ query: { fid } }, services) => {
    const [units, proUntil, uses] = await Promise.all([
      activeUnitsOf(services, fid),
      selectProExpiry(services.db, fid),
      selectStoreUse(services.db, fid),
    ]);
    const useOf = new Map(uses.map((use) => [use.messageSet, use]));
    const details = detailsOf(units);
    // The kind of unit of which the account has most; of equal ones the newest.
    const [most] = details.toSorted((a, b) => b.unitSize - a.unitSize);
    const isPro = proUntil !== undefined && proUntil.getTime() > services.clock();
    return {
      limits: STORES.map(([storeType, set]) => {
        const { used = 0, oldest } = useOf.get(set) ?? {};
        const { earliestTimestamp, earliestHash } = readOldest(oldest);
        return {
          storeType,
          name: storeType.replace('STORE_TYPE_', ''),
          limit: storageLimit(set, units),
          used,
          earliestTimestamp,
          earliestHash: [...earliestHash],
        };
      }),
      units: units[0] + units[1] + units[2],
      unitDetails: most ?? {},
      units_by_type: details.filter(({ unitSize }) => unitSize > 0),
      tier_subscriptions: isPro
        ? [{ tier_type: 'Pro' as const, expires_at: Math.floor(proUntil.getTime() / 1000) }]
        : [],
    };
  },
});
