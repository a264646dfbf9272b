import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { named } from '../named.js';

export const HubOnChainEventType = named(
  'HubOnChainEventType',
  Type.Enum(['EVENT_TYPE_SIGNER', 'EVENT_TYPE_SIGNER_MIGRATED', 'EVENT_TYPE_ID_REGISTER', 'EVENT_TYPE_STORAGE_RENT'], {
    type: 'string',
    default: 'EVENT_TYPE_SIGNER',
  }),
);

export const HubOnChainEventCommon = named(
  'HubOnChainEventCommon',
  Type.Object({
    type: Type.String(),
    chainId: Type.Integer(),
    blockNumber: Type.Integer(),
    blockHash: Type.String(),
    blockTimestamp: Type.Integer(),
    transactionHash: Type.String(),
    logIndex: Type.Integer(),
    txIndex: Type.Integer(),
    fid: Type.Integer(),
  }),
);
export const HubSignerEventType = named(
  'HubSignerEventType',
  Type.Enum(['SIGNER_EVENT_TYPE_ADD', 'SIGNER_EVENT_TYPE_REMOVE', 'SIGNER_EVENT_TYPE_ADMIN_RESET'], {
    type: 'string',
    default: 'SIGNER_EVENT_TYPE_ADD',
  }),
);

export const HubSignerEventBody = named(
  'HubSignerEventBody',
  Type.Object({
    key: Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }),
    keyType: Type.Integer({ format: 'int64' }),
    eventType: HubSignerEventType,
    metadata: Base64,
    metadataType: Type.Integer({ format: 'int64' }),
  }),
);
export const HubOnChainEventSigner = named(
  'HubOnChainEventSigner',
  Type.Object({ ...HubOnChainEventCommon.properties, signerEventBody: HubSignerEventBody }),
);
export type HubOnChainEventSigner = Static<typeof HubOnChainEventSigner>;

export const HubSignerMigratedEventBody = named(
  'HubSignerMigratedEventBody',
  Type.Object({ migratedAt: Type.Integer({ format: 'int64' }) }),
);
export const HubOnChainEventSignerMigrated = named(
  'HubOnChainEventSignerMigrated',
  Type.Object({ ...HubOnChainEventCommon.properties, signerMigratedEventBody: HubSignerMigratedEventBody }),
);
export const HubIdRegisterEventType = named(
  'HubIdRegisterEventType',
  Type.Enum(
    ['ID_REGISTER_EVENT_TYPE_REGISTER', 'ID_REGISTER_EVENT_TYPE_TRANSFER', 'ID_REGISTER_EVENT_TYPE_CHANGE_RECOVERY'],
    { type: 'string', default: 'ID_REGISTER_EVENT_TYPE_REGISTER' },
  ),
);

export const HubIdRegisterEventBody = named(
  'HubIdRegisterEventBody',
  Type.Object({
    to: Type.String({ pattern: '^0x[a-fA-F0-9]*$' }),
    eventType: HubIdRegisterEventType,
    from: Type.String({ pattern: '^0x[a-fA-F0-9]*$|^$' }),
    recoveryAddress: Type.String({ pattern: '^0x[a-fA-F0-9]*$' }),
  }),
);
export const HubOnChainEventIdRegister = named(
  'HubOnChainEventIdRegister',
  Type.Object({ ...HubOnChainEventCommon.properties, idRegisterEventBody: HubIdRegisterEventBody }),
);
export type HubOnChainEventIdRegister = Static<typeof HubOnChainEventIdRegister>;

export const HubStorageRentEventBody = named(
  'HubStorageRentEventBody',
  Type.Object({ payer: Base64, units: Type.Integer({ format: 'int64' }), expiry: Type.Integer({ format: 'int64' }) }),
);
export const HubOnChainEventStorageRent = named(
  'HubOnChainEventStorageRent',
  Type.Object({ ...HubOnChainEventCommon.properties, storageRentEventBody: HubStorageRentEventBody }),
);
/** Event types that the contract does not describe (tier purchases, channel registrations). */
const OtherOnChainEvent = Type.Object({
  ...HubOnChainEventCommon.properties,
  type: Type.String({ pattern: '^EVENT_TYPE_(TIER_PURCHASE|CHANNEL_REGISTER|[0-9]+)$' }),
});

export const HubOnChainEvent = named(
  'HubOnChainEvent',
  Type.Union([
    HubOnChainEventSigner,
    HubOnChainEventSignerMigrated,
    HubOnChainEventIdRegister,
    HubOnChainEventStorageRent,
    OtherOnChainEvent,
  ]),
);
export type HubOnChainEvent = Static<typeof HubOnChainEvent>;

export const HubOnChainEventsResponse = named(
  'HubOnChainEventsResponse',
  Type.Object({ events: Type.Array(HubOnChainEvent) }),
);

export const HubOnChainSignersResponse = named(
  'HubOnChainSignersResponse',
  Type.Object({ events: Type.Array(HubOnChainEventSigner) }),
);
