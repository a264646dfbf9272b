import Type from 'typebox';
import { Idem } from '../idempotency.js';
import { namedObject } from '../named.js';
import { UserDehydrated } from '../social/user-dehydrated.js';

export const StorageAllocation = namedObject('StorageAllocation', {
  expiry: Type.Optional(Type.String({ format: 'date-time' })),
  object: Type.Optional(Type.String()),
  timestamp: Type.Optional(Type.String({ format: 'date-time', description: 'When it was bought.' })),
  units: Type.Optional(Type.Integer()),
  user: Type.Optional(UserDehydrated),
});

export const StorageAllocationsResponse = namedObject('StorageAllocationsResponse', {
  allocations: Type.Optional(Type.Array(StorageAllocation)),
  total_active_units: Type.Optional(
    Type.Integer({ description: 'Units that have not expired, less lent ones, with borrowed ones.' }),
  ),
});

export const StorageObject = namedObject('StorageObject', {
  capacity: Type.Optional(Type.Integer()),
  object: Type.Optional(Type.String()),
  used: Type.Optional(Type.Integer({ description: 'Messages that count, of additions and removals together.' })),
});

export const StorageUsageResponse = namedObject('StorageUsageResponse', {
  casts: Type.Optional(StorageObject),
  links: Type.Optional(StorageObject),
  object: Type.Optional(Type.String()),
  reactions: Type.Optional(StorageObject),
  signers: Type.Optional(StorageObject),
  total_active_units: Type.Optional(Type.Integer()),
  user: Type.Optional(UserDehydrated),
  username_proofs: Type.Optional(StorageObject),
  verified_addresses: Type.Optional(StorageObject),
});

export const BuyStorageReqBody = namedObject('BuyStorageReqBody', {
  fid: Type.Integer({ format: 'int32', minimum: 1, description: 'The account that gets it.' }),
  idem: Type.Optional(Idem),
  units: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: '1 if it is left out. Today a unit holds 100 casts, 200 reactions and 200 links for a year.',
    }),
  ),
});
