import type { OnChainEvent } from '@farcaster/core';
import {
  idRegisterEventTypeNames,
  onChainEventTypeNames,
  signerEventTypeNames,
  tierTypeNames,
} from './hub-json/enum.js';
import {
  isSet,
  type JsonObject,
  member,
  readBytes,
  readEnum,
  readObject,
  readUint,
  readUint32,
  toBase64,
  toHex,
} from './hub-json/scalar.js';

/**
 * @returns the contract's `HubOnChainEvent`, with the member `version` that hubs add. A purchase of a tier, which the
 * contract does not list, stands in `tier_purchase_event_body`, as hubs have it.
 */
export function onChainEventToJson(event: OnChainEvent): JsonObject {
  return {
    type: onChainEventTypeNames.name(event.type),
    chainId: event.chainId,
    blockNumber: event.blockNumber,
    blockHash: toHex(event.blockHash),
    blockTimestamp: event.blockTimestamp,
    transactionHash: toHex(event.transactionHash),
    logIndex: event.logIndex,
    fid: event.fid,
    ...bodyToJson(event),
    txIndex: event.txIndex,
    version: event.version,
  };
}

function bodyToJson(event: OnChainEvent): JsonObject {
  const { signerEventBody: signer, idRegisterEventBody: register, storageRentEventBody: rent } = event;
  const { signerMigratedEventBody: migrated, tierPurchaseEventBody: tier } = event;
  if (signer) {
    return {
      signerEventBody: {
        key: toHex(signer.key),
        keyType: signer.keyType,
        eventType: signerEventTypeNames.name(signer.eventType),
        metadata: toBase64(signer.metadata),
        metadataType: signer.metadataType,
      },
    };
  }
  if (register) {
    return {
      idRegisterEventBody: {
        to: toHex(register.to),
        eventType: idRegisterEventTypeNames.name(register.eventType),
        from: toHex(register.from),
        recoveryAddress: toHex(register.recoveryAddress),
      },
    };
  }
  if (rent) return { storageRentEventBody: { payer: toBase64(rent.payer), units: rent.units, expiry: rent.expiry } };
  if (migrated) return { signerMigratedEventBody: { migratedAt: migrated.migratedAt } };
  if (tier) {
    const tierType = tierTypeNames.name(tier.tierType);
    return { tier_purchase_event_body: { payer: toHex(tier.payer), for_days: tier.forDays, tier_type: tierType } };
  }
  return {};
}

/**
 * @param json an onchain event as any hub software writes it: bytes in hex or base64, events by name or number
 * @param at path of the event inside what was sent, for the errors
 * @throws AppError invalid with the path of the member at fault
 */
export function onChainEventFromJson(json: unknown, at = ''): OnChainEvent {
  const event = readObject(json, at);
  return {
    type: readEnum(event.type, member(at, 'type'), onChainEventTypeNames),
    chainId: readUint32(event.chainId, member(at, 'chainId')),
    blockNumber: readUint32(event.blockNumber, member(at, 'blockNumber')),
    blockHash: readBytes(event.blockHash, member(at, 'blockHash')),
    blockTimestamp: readUint(event.blockTimestamp, member(at, 'blockTimestamp')),
    transactionHash: readBytes(event.transactionHash, member(at, 'transactionHash')),
    logIndex: readUint32(event.logIndex, member(at, 'logIndex')),
    fid: readUint(event.fid, member(at, 'fid')),
    txIndex: isSet(event.txIndex) ? readUint32(event.txIndex, member(at, 'txIndex')) : 0,
    version: isSet(event.version) ? readUint32(event.version, member(at, 'version')) : 0,
    ...bodyFromJson(event, at),
  };
}

function bodyFromJson(event: JsonObject, parent: string): Partial<OnChainEvent> {
  if (isSet(event.signerEventBody)) {
    const at = member(parent, 'signerEventBody');
    const body = readObject(event.signerEventBody, at);
    return {
      signerEventBody: {
        key: readBytes(body.key, `${at}.key`),
        keyType: readUint32(body.keyType, `${at}.keyType`),
        eventType: readEnum(body.eventType, `${at}.eventType`, signerEventTypeNames),
        metadata: readBytes(body.metadata, `${at}.metadata`),
        metadataType: readUint32(body.metadataType, `${at}.metadataType`),
      },
    };
  }
  if (isSet(event.idRegisterEventBody)) {
    const at = member(parent, 'idRegisterEventBody');
    const body = readObject(event.idRegisterEventBody, at);
    return {
      idRegisterEventBody: {
        to: readBytes(body.to, `${at}.to`),
        eventType: readEnum(body.eventType, `${at}.eventType`, idRegisterEventTypeNames),
        from: readBytes(body.from, `${at}.from`),
        recoveryAddress: readBytes(body.recoveryAddress, `${at}.recoveryAddress`),
      },
    };
  }
  if (isSet(event.storageRentEventBody)) {
    const at = member(parent, 'storageRentEventBody');
    const body = readObject(event.storageRentEventBody, at);
    return {
      storageRentEventBody: {
        payer: readBytes(body.payer, `${at}.payer`),
        units: readUint32(body.units, `${at}.units`),
        expiry: readUint32(body.expiry, `${at}.expiry`),
      },
    };
  }
  if (isSet(event.signerMigratedEventBody)) {
    const at = member(parent, 'signerMigratedEventBody');
    const body = readObject(event.signerMigratedEventBody, at);
    return { signerMigratedEventBody: { migratedAt: readUint32(body.migratedAt, `${at}.migratedAt`) } };
  }
  return tierFromJson(event, parent);
}

/** Hubs write this body in snake case, protobuf's own JSON in camel case. */
function tierFromJson(event: JsonObject, parent: string): Partial<OnChainEvent> {
  const name = isSet(event.tierPurchaseEventBody) ? 'tierPurchaseEventBody' : 'tier_purchase_event_body';
  if (!isSet(event[name])) return {};
  const at = member(parent, name);
  const body = readObject(event[name], at);
  const [tierType, forDays] = isSet(body.tier_type) ? ['tier_type', 'for_days'] : ['tierType', 'forDays'];
  return {
    tierPurchaseEventBody: {
      tierType: readEnum(body[tierType], `${at}.${tierType}`, tierTypeNames),
      forDays: readUint(body[forDays], `${at}.${forDays}`),
      payer: readBytes(body.payer, `${at}.payer`),
    },
  };
}
