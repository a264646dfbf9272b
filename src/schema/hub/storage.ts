import Type from 'typebox';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';

export const HubStoreType = named(
  'HubStoreType',
  stringEnum(
    [
      'STORE_TYPE_CASTS',
      'STORE_TYPE_LINKS',
      'STORE_TYPE_REACTIONS',
      'STORE_TYPE_USER_DATA',
      'STORE_TYPE_VERIFICATIONS',
      'STORE_TYPE_USERNAME_PROOFS',
    ],
    { default: 'STORE_TYPE_CASTS' },
  ),
);

export const HubStorageLimit = namedObject('HubStorageLimit', {
  storeType: HubStoreType,
  limit: Type.Integer({ format: 'uint64' }),
  name: Type.Optional(Type.String({ description: 'The store in one word, such as CASTS.' })),
  used: Type.Optional(Type.Integer({ format: 'uint64', description: 'Messages in the store.' })),
  earliestTimestamp: Type.Optional(
    Type.Integer({ format: 'uint64', description: 'Of the oldest message, in seconds since 2021-01-01; 0: none.' }),
  ),
  earliestHash: Type.Optional(Type.Array(Type.Integer(), { description: 'Its hash, byte by byte, as hubs write it.' })),
});
const UnitType = stringEnum(['UnitTypeLegacy', 'UnitType2024', 'UnitType2025']);

export const HubStorageLimitsResponse = namedObject('HubStorageLimitsResponse', {
  limits: Type.Array(HubStorageLimit),
  units: Type.Integer({ format: 'uint64' }),
  unitDetails: Type.Object({
    unitType: Type.Optional(UnitType),
    unitSize: Type.Optional(Type.Integer({ format: 'uint64' })),
  }),
  units_by_type: Type.Optional(
    Type.Array(Type.Object({ unitType: UnitType, unitSize: Type.Integer({ format: 'uint64' }) }), {
      description: 'Units of every kind that the account has.',
    }),
  ),
  tier_subscriptions: Type.Optional(
    Type.Array(
      Type.Object({
        tier_type: Type.Optional(stringEnum(['Pro'])),
        expires_at: Type.Optional(Type.Integer({ format: 'int64', description: 'Unix seconds.' })),
      }),
    ),
  ),
});
