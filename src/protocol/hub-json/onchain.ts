import type {
  IdRegisterEventBody,
  OnChainEvent,
  SignerEventBody,
  SignerMigratedEventBody,
  StorageRentEventBody,
  TierPurchaseBody,
} from '@farcaster/core';
import { toHex } from '../../hex.js';
import { base64, type Codec, enumOf, hex, object, uint, uint32, withDefault } from './codec.js';
import { idRegisterEventTypeNames, onChainEventTypeNames, signerEventTypeNames, tierTypeNames } from './enum.js';
import { isSet, type JsonObject, member, readBytes, readEnum, readObject, readUint } from './scalar.js';

const tierType = enumOf(tierTypeNames);

type Bodies = Pick<
  Required<OnChainEvent>,
  'signerEventBody' | 'idRegisterEventBody' | 'storageRentEventBody' | 'signerMigratedEventBody'
>;

/** An event has one of these bodies, or a purchase of a tier. */
const BODIES: { readonly [Name in keyof Bodies]: Codec<NonNullable<Bodies[Name]>> } = {
  signerEventBody: object<SignerEventBody>({
    key: hex,
    keyType: uint32,
    eventType: enumOf(signerEventTypeNames),
    metadata: base64,
    metadataType: uint32,
  }),
  idRegisterEventBody: object<IdRegisterEventBody>({
    to: hex,
    eventType: enumOf(idRegisterEventTypeNames),
    from: hex,
    recoveryAddress: hex,
  }),
  storageRentEventBody: object<StorageRentEventBody>({ payer: base64, units: uint32, expiry: uint32 }),
  signerMigratedEventBody: object<SignerMigratedEventBody>({ migratedAt: uint32 }),
};

const BODY_ENTRIES = Object.entries(BODIES) as [keyof Bodies, Codec<unknown>][];

type Head = Omit<OnChainEvent, keyof Bodies | 'tierPurchaseEventBody' | 'txIndex' | 'version'>;

const head = object<Head>({
  type: enumOf(onChainEventTypeNames),
  chainId: uint32,
  blockNumber: uint32,
  blockHash: hex,
  blockTimestamp: uint,
  transactionHash: hex,
  logIndex: uint32,
  fid: uint,
});

const tail = object<Pick<OnChainEvent, 'txIndex' | 'version'>>({
  txIndex: withDefault(uint32, 0),
  version: withDefault(uint32, 0),
});

/**
 * @returns the contract's `HubOnChainEvent`, with the member `version` that hubs add. A purchase of a tier, which the
 * contract does not list, is written as `tier_purchase_event_body`, as hubs write it.
 */
export const onChainEventToJson = (event: OnChainEvent): JsonObject => ({
  ...(head.write(event) as JsonObject),
  ...bodyToJson(event),
  ...(tail.write(event) as JsonObject),
});

const bodyToJson = (event: OnChainEvent): JsonObject => {
  for (const [name, codec] of BODY_ENTRIES) if (event[name]) return { [name]: codec.write(event[name]) };
  const tier = event.tierPurchaseEventBody;
  return tier
    ? {
        tier_purchase_event_body: {
          payer: toHex(tier.payer),
          for_days: tier.forDays,
          tier_type: tierType.write(tier.tierType),
        },
      }
    : {};
};

/**
 * @param json an onchain event as any hub software writes it: bytes in hex or base64, events by name or number
 * @param at path of the event inside the request or file, for errors
 * @throws AppError invalid with the path of the faulty member
 */
export const onChainEventFromJson = (json: unknown, at = ''): OnChainEvent => {
  const event = readObject(json, at);
  return { ...head.read(event, at), ...tail.read(event, at), ...bodyFromJson(event, at) };
};

const bodyFromJson = (event: JsonObject, at: string): Partial<OnChainEvent> => {
  for (const [name, codec] of BODY_ENTRIES) {
    if (isSet(event[name])) return { [name]: codec.read(event[name], member(at, name)) };
  }
  return tierFromJson(event, at);
};

/** Hubs write this body in snake case, protobuf's own JSON in camel case. */
const tierFromJson = (event: JsonObject, parent: string): Partial<OnChainEvent> => {
  const name = isSet(event.tierPurchaseEventBody) ? 'tierPurchaseEventBody' : 'tier_purchase_event_body';
  if (!isSet(event[name])) return {};
  const at = member(parent, name);
  const body = readObject(event[name], at);
  const [type, days] = isSet(body.tier_type) ? ['tier_type', 'for_days'] : ['tierType', 'forDays'];
  const tierPurchaseEventBody: TierPurchaseBody = {
    tierType: readEnum(body[type], member(at, type), tierTypeNames),
    forDays: readUint(body[days], member(at, days)),
    payer: readBytes(body.payer, member(at, 'payer')),
  };
  return { tierPurchaseEventBody };
};
