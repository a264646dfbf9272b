import { ETH_ADDRESS_BYTES } from '../limit.js';
import * as body from '../wire/body.js';
import { readMessageHead } from '../wire/message-data.js';
import { bytes, type Shape, type Shaped, shape, text, uint32, uint64 } from '../wire/protobuf-schema.js';
import { WireError } from '../wire/wire.js';
import {
  CHANNEL_ID_BYTES,
  checkChannelMember,
  checkChannelModerate,
  checkChannelPin,
  checkChannelUpdate,
} from './check.js';
import { channelIdOf } from './identity.js';
import {
  CastingMode,
  CHANNEL_REGISTER_EVENT,
  ChannelMessageType,
  type MemberAction,
  MembershipMode,
  ModerateAction,
} from './type.js';

type ValueOf<T> = T[keyof T];

/** What an update sets. It replaces everything: an absent text is cleared, an absent mode becomes the strictest. */
export interface ChannelMetadata {
  readonly name: string | null;
  readonly description: string | null;
  readonly imageUrl: string | null;
  readonly header: string | null;
  readonly rules: string | null;
  readonly castingMode: ValueOf<typeof CastingMode>;
  readonly membershipMode: ValueOf<typeof MembershipMode>;
}

interface OfChannel<Kind extends string> {
  readonly kind: Kind;
  /** 32 bytes. */
  readonly channelId: Uint8Array;
}

/** The body of a message of kinds 18 to 21. */
export type ChannelMessage =
  | (OfChannel<'update'> & { readonly metadata: ChannelMetadata })
  | (OfChannel<'member'> & { readonly fid: number; readonly action: ValueOf<typeof MemberAction> })
  /** undefined: nothing is pinned any more */
  | (OfChannel<'pin'> & { readonly castHash: Uint8Array | undefined })
  | (OfChannel<'moderate'> & { readonly castHash: Uint8Array; readonly isHidden: boolean });

const textOf = (utf8: Uint8Array | undefined): string | null =>
  utf8 === undefined || utf8.length === 0 ? null : Buffer.from(utf8).toString('utf8');

const readUpdate = (read: body.ChannelUpdateBody): ChannelMessage => {
  checkChannelUpdate(read);
  const metadata = {
    name: textOf(read.name),
    description: textOf(read.description),
    imageUrl: textOf(read.imageUrl),
    header: textOf(read.header),
    rules: textOf(read.rules),
    castingMode: (read.castingMode || CastingMode.membersOnly) as ChannelMetadata['castingMode'],
    membershipMode: (read.membershipMode || MembershipMode.approval) as ChannelMetadata['membershipMode'],
  };
  return { kind: 'update', channelId: read.channelId, metadata };
};

const readMember = (read: body.ChannelMemberBody): ChannelMessage => {
  checkChannelMember(read);
  const action = read.action as ValueOf<typeof MemberAction>;
  return { kind: 'member', channelId: read.channelId, fid: read.fid, action };
};

const readPin = (read: body.ChannelPinBody): ChannelMessage => {
  checkChannelPin(read);
  const castHash = read.castHash.length === 0 ? undefined : read.castHash;
  return { kind: 'pin', channelId: read.channelId, castHash };
};

const readModerate = (read: body.ChannelModerateBody): ChannelMessage => {
  checkChannelModerate(read);
  const { channelId, castHash, action } = read;
  return { kind: 'moderate', channelId, castHash, isHidden: action === ModerateAction.hide };
};

const reader =
  <T>(field: number, layout: Shape<T>, convert: (read: T) => ChannelMessage) =>
  (bodies: ReadonlyMap<number, Uint8Array>): ChannelMessage => {
    const found = bodies.get(field);
    if (found === undefined) throw new WireError(`the body in field ${field} is missing`);
    return convert(layout.read(found));
  };

/** By `MessageType`, with the field number of the body in `MessageData`. */
const READERS: Readonly<Record<number, (bodies: ReadonlyMap<number, Uint8Array>) => ChannelMessage>> = {
  [ChannelMessageType.update]: reader(21, body.channelUpdateBody, readUpdate),
  [ChannelMessageType.member]: reader(22, body.channelMemberBody, readMember),
  [ChannelMessageType.pin]: reader(23, body.channelPinBody, readPin),
  [ChannelMessageType.moderate]: reader(24, body.channelModerateBody, readModerate),
};

/**
 * @param dataBytes `MessageData` of a message of kind 18 to 21
 * @throws WireError or Rejection for bytes that hubs do not accept
 */
export const decodeChannelMessage = (dataBytes: Uint8Array): ChannelMessage => {
  const { type, bodies } = readMessageHead(dataBytes);
  const read = READERS[type];
  if (read === undefined) throw new WireError(`messages of type ${type} are not about a channel`);
  return read(bodies);
};

const channelRegisterBody = shape({
  channelKey: text(1),
  expiry: uint64(2),
  ownerAddress: bytes(3),
  eventType: uint32(4),
  label: bytes(5),
});

/** What a registration, renewal or transfer of a channel says. */
export interface ChannelRegistration {
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** null: not said, as in transfers, which name the id alone. */
  readonly key: string | null;
  /** Number of `ChannelRegisterEventType`. */
  readonly eventType: number;
  /** Unix seconds; 0: not said. */
  readonly expiry: number;
  /** 20 bytes; undefined: not said. */
  readonly ownerAddress: Uint8Array | undefined;
  /** null: not said. */
  readonly label: string | null;
  /** Unix seconds of the block. */
  readonly blockTimestamp: number;
  readonly blockNumber: number;
  readonly logIndex: number;
}

const onChainEvent = shape({
  type: uint32(1),
  blockNumber: uint32(3),
  blockTimestamp: uint64(5),
  logIndex: uint32(7),
  body: bytes(16),
});

/**
 * @param label the id of the channel, which is the hash of its key, in events of all kinds
 * @returns undefined: the event is of no channel, or its key is not that of its id
 */
const registeredId = (key: string | null, label: Uint8Array): Uint8Array | undefined => {
  const named = label.length === CHANNEL_ID_BYTES ? label : undefined;
  if (key === null) return named;
  const id = channelIdOf(key);
  return named === undefined || id.equals(named) ? id : undefined;
};

/**
 * @param wire bytes of an `OnChainEvent` (snapchain proto/definitions/onchain_event.proto)
 * @returns undefined for an event of another type, or one without its body or its channel
 * @throws WireError
 * @source `merge_channel_register_index` of snapchain's `onchain_event_store.rs`
 */
export const readChannelRegistration = (wire: Uint8Array): ChannelRegistration | undefined => {
  const { type, blockNumber, blockTimestamp, logIndex, body: read } = onChainEvent.read(wire);
  if (type !== CHANNEL_REGISTER_EVENT || read.length === 0) return undefined;
  const { channelKey, expiry, ownerAddress, eventType, label } = channelRegisterBody.read(read);
  const key = textOf(channelKey);
  const id = registeredId(key, label);
  if (id === undefined) return undefined;
  return {
    id,
    key,
    eventType,
    expiry,
    ownerAddress: ownerAddress.length === ETH_ADDRESS_BYTES ? ownerAddress : undefined,
    label: label.length === CHANNEL_ID_BYTES ? null : textOf(label),
    blockTimestamp,
    blockNumber,
    logIndex,
  };
};

const ownerHint = shape({ channelKey: text(1), ownerAddress: bytes(2), cause: uint32(3) });

/** A hub's hint that a channel may have another owner. It is no state: registrations and verifications decide. */
export type ChannelOwnerHint = Pick<Shaped<typeof ownerHint>, 'cause'> & {
  readonly key: string;
  readonly ownerAddress: Uint8Array;
};

/** @param bytes the body of the hub event. @throws WireError */
export const readOwnerHint = (bytes: Uint8Array): ChannelOwnerHint => {
  const { channelKey, ownerAddress, cause } = ownerHint.read(bytes);
  return { key: textOf(channelKey) ?? '', ownerAddress, cause };
};
