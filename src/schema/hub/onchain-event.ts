import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';

export const HubOnChainEventType = named(
  'HubOnChainEventType',
  stringEnum(['EVENT_TYPE_SIGNER', 'EVENT_TYPE_SIGNER_MIGRATED', 'EVENT_TYPE_ID_REGISTER', 'EVENT_TYPE_STORAGE_RENT'], {
    default: 'EVENT_TYPE_SIGNER',
  }),
);

export const HubOnChainEventCommon = namedObject('HubOnChainEventCommon', {
  type: Type.String(),
  chainId: Type.Integer(),
  blockNumber: Type.Integer(),
  blockHash: Type.String(),
  blockTimestamp: Type.Integer(),
  transactionHash: Type.String(),
  logIndex: Type.Integer(),
  txIndex: Type.Integer(),
  fid: Type.Integer(),
});
export const HubSignerEventType = named(
  'HubSignerEventType',
  stringEnum(['SIGNER_EVENT_TYPE_ADD', 'SIGNER_EVENT_TYPE_REMOVE', 'SIGNER_EVENT_TYPE_ADMIN_RESET'], {
    default: 'SIGNER_EVENT_TYPE_ADD',
  }),
);

export const HubSignerEventBody = namedObject('HubSignerEventBody', {
  key: Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }),
  keyType: Type.Integer({ format: 'int64' }),
  eventType: HubSignerEventType,
  metadata: Base64,
  metadataType: Type.Integer({ format: 'int64' }),
});
export const HubOnChainEventSigner = namedObject('HubOnChainEventSigner', {
  ...HubOnChainEventCommon.properties,
  signerEventBody: HubSignerEventBody,
});
export type HubOnChainEventSigner = Static<typeof HubOnChainEventSigner>;

export const HubSignerMigratedEventBody = namedObject('HubSignerMigratedEventBody', {
  migratedAt: Type.Integer({ format: 'int64' }),
});
export const HubOnChainEventSignerMigrated = namedObject('HubOnChainEventSignerMigrated', {
  ...HubOnChainEventCommon.properties,
  signerMigratedEventBody: HubSignerMigratedEventBody,
});
export const HubIdRegisterEventType = named(
  'HubIdRegisterEventType',
  stringEnum(
    ['ID_REGISTER_EVENT_TYPE_REGISTER', 'ID_REGISTER_EVENT_TYPE_TRANSFER', 'ID_REGISTER_EVENT_TYPE_CHANGE_RECOVERY'],
    { default: 'ID_REGISTER_EVENT_TYPE_REGISTER' },
  ),
);

export const HubIdRegisterEventBody = namedObject('HubIdRegisterEventBody', {
  to: Type.String({ pattern: '^0x[a-fA-F0-9]*$' }),
  eventType: HubIdRegisterEventType,
  from: Type.String({ pattern: '^0x[a-fA-F0-9]*$|^$' }),
  recoveryAddress: Type.String({ pattern: '^0x[a-fA-F0-9]*$' }),
});
export const HubOnChainEventIdRegister = namedObject('HubOnChainEventIdRegister', {
  ...HubOnChainEventCommon.properties,
  idRegisterEventBody: HubIdRegisterEventBody,
});
export type HubOnChainEventIdRegister = Static<typeof HubOnChainEventIdRegister>;

export const HubStorageRentEventBody = namedObject('HubStorageRentEventBody', {
  payer: Base64,
  units: Type.Integer({ format: 'int64' }),
  expiry: Type.Integer({ format: 'int64' }),
});
export const HubOnChainEventStorageRent = namedObject('HubOnChainEventStorageRent', {
  ...HubOnChainEventCommon.properties,
  storageRentEventBody: HubStorageRentEventBody,
});
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

export const HubOnChainEventsResponse = namedObject('HubOnChainEventsResponse', {
  events: Type.Array(HubOnChainEvent),
});

export const HubOnChainSignersResponse = namedObject('HubOnChainSignersResponse', {
  events: Type.Array(HubOnChainEventSigner),
  nextPageToken: Type.Optional(Base64),
});
