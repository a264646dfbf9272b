import { OnChainEvent, type UserNameProof } from '@farcaster/core';
import { type ChannelOwnerHint, readOwnerHint } from '../protocol/channel/decode.js';
import { CHANNEL_REGISTER_EVENT } from '../protocol/channel/type.js';
import { readEnvelope } from '../protocol/wire/envelope-wire.js';
import { WireError, WireReader } from '../protocol/wire/wire.js';
import { readUsernameProof } from './username-proof-wire.js';

/** What can be read of a hub's event without decoding its body. */
export interface HubEventHead {
  /** `HubEventType` number; newer hubs send types that the package does not know. */
  readonly type: number;
  readonly id: number;
  /** Protocol seconds of the block; 0 if the hub does not send it. */
  readonly timestamp: number;
}

/**
 * A hub's event with its messages as wire bytes, because decoding with the protocol's package would drop unknown
 * fields. Onchain events and username proofs are not signed as bytes and are decoded.
 */
export interface RawHubEvent extends HubEventHead {
  /** The message of MERGE_MESSAGE, PRUNE_MESSAGE or REVOKE_MESSAGE, or that contained a username proof. */
  readonly message: Uint8Array | undefined;
  /** Messages replaced by the merged one. */
  readonly deleted: readonly Uint8Array[];
  readonly onchain: OnChainEvent | undefined;
  /** Bytes of `onchain`, if the package does not know its body: the registration of a channel. */
  readonly onchainWire: Uint8Array | undefined;
  /** CHANNEL_OWNER_CHANGE_HINT: the channel that may have another owner. */
  readonly ownerHint: ChannelOwnerHint | undefined;
  readonly proof: UserNameProof | undefined;
  /** The account that had the name before the proof; 0: none. */
  readonly formerFid: number;
  /** BLOCK_CONFIRMED: number of events of its block in the stream, including itself. */
  readonly blockEvents: number | undefined;
}

/** A page of messages. */
export interface MessagePage {
  readonly messages: Uint8Array[];
  /** Empty at the end, if the hub reports it. */
  readonly nextPageToken: Uint8Array;
}

/** What can be read of a message without decoding its body. */
export interface MessageHead {
  readonly fid: number;
  /** `MessageType` number. */
  readonly type: number;
  readonly hash: Uint8Array;
  readonly signer: Uint8Array;
  /** `SignatureScheme` of the protocol: 1 is Ed25519. */
  readonly signatureScheme: number;
}

const EMPTY: Uint8Array = new Uint8Array(0);

/** `HubEvent` fields (snapchain, proto/definitions/hub_event.proto). */
const BODY = { message: [3, 4, 5], proof: 8, onchain: 11, confirmed: 16, ownerHint: 17 } as const;

/**
 * Reads a protobuf `HubEvent`. Messages are views of `wire`.
 * @throws WireError, or an error of the protocol's decoder
 */
export const readHubEvent = (wire: Uint8Array): RawHubEvent => {
  const reader = new WireReader(wire);
  let [type, id, timestamp] = [0, 0, 0];
  let body: Partial<RawHubEvent> = {};
  while (reader.next()) {
    const field = reader.field;
    if (field === 1) type = reader.uint32();
    else if (field === 2) id = reader.uint64();
    else if (field === 15) timestamp = reader.uint64();
    else if (field === BODY.proof) body = readProofBody(reader.byteString());
    else if (field === BODY.onchain) body = readOnChainBody(reader.byteString());
    else if (field === BODY.ownerHint) body = { ownerHint: readOwnerHint(reader.byteString()) };
    else if (field === BODY.confirmed) body = { blockEvents: readConfirmedBody(reader.byteString()) };
    else if ((BODY.message as readonly number[]).includes(field)) body = readMessageBody(reader.byteString());
    else reader.skip();
  }
  if (type === 0) throw new WireError('the event has no type');
  return {
    message: undefined,
    deleted: [],
    onchain: undefined,
    onchainWire: undefined,
    ownerHint: undefined,
    proof: undefined,
    formerFid: 0,
    blockEvents: undefined,
    ...body,
    type,
    id,
    timestamp,
  };
};

/** @returns the head of an event whose body cannot be read; undefined for bytes that are no event */
export const readHubEventHead = (wire: Uint8Array): HubEventHead | undefined => {
  try {
    const reader = new WireReader(wire);
    let [type, id, timestamp] = [0, 0, 0];
    while (reader.next()) {
      if (reader.field === 1) type = reader.uint32();
      else if (reader.field === 2) id = reader.uint64();
      else if (reader.field === 15) timestamp = reader.uint64();
      else reader.skip();
    }
    return type > 0 && id > 0 ? { type, id, timestamp } : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
};

/** Reads a protobuf `MessagesResponse`. Messages are views of `wire`. @throws WireError */
export const readMessagePage = (wire: Uint8Array): MessagePage => {
  const reader = new WireReader(wire);
  const messages: Uint8Array[] = [];
  let nextPageToken = EMPTY;
  while (reader.next()) {
    if (reader.field === 1) messages.push(reader.byteString());
    else if (reader.field === 2) nextPageToken = reader.byteString();
    else reader.skip();
  }
  return { messages, nextPageToken };
};

/** @returns fields of the envelope and the beginning of a message; undefined for invalid bytes */
export const readMessageHead = (wire: Uint8Array): MessageHead | undefined => {
  try {
    const { dataBytes, hash, signer, signatureScheme } = readEnvelope(wire);
    const reader = new WireReader(dataBytes);
    let [fid, type] = [0, 0];
    while (reader.next()) {
      if (reader.field === 1) type = reader.uint32();
      else if (reader.field === 2) fid = reader.uint64();
      else reader.skip();
    }
    return { fid, type, hash, signer, signatureScheme };
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
};

/** MergeMessageBody, PruneMessageBody and RevokeMessageBody have the same fields. */
const readMessageBody = (bytes: Uint8Array): Partial<RawHubEvent> => {
  const reader = new WireReader(bytes);
  const deleted: Uint8Array[] = [];
  let message: Uint8Array | undefined;
  while (reader.next()) {
    if (reader.field === 1) message = reader.byteString();
    else if (reader.field === 2) deleted.push(reader.byteString());
    else reader.skip();
  }
  if (message === undefined) throw new WireError('the event carries no message');
  return { message, deleted };
};

/** Of a deleted proof, only the fid is used: proofs conflict among themselves, and a release is a proof for fid 0. */
const readProofBody = (bytes: Uint8Array): Partial<RawHubEvent> => {
  const reader = new WireReader(bytes);
  let proof: UserNameProof | undefined;
  let formerFid = 0;
  let message: Uint8Array | undefined;
  const deleted: Uint8Array[] = [];
  while (reader.next()) {
    if (reader.field === 1) proof = readUsernameProof(reader.byteString());
    else if (reader.field === 2) formerFid = readUsernameProof(reader.byteString())?.fid ?? 0;
    else if (reader.field === 3) message = reader.byteString();
    else if (reader.field === 4) deleted.push(reader.byteString());
    else reader.skip();
  }
  return { proof, formerFid, message, deleted };
};

const readOnChainBody = (bytes: Uint8Array): Partial<RawHubEvent> => {
  const reader = new WireReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) {
      const onchainWire = reader.byteString();
      const onchain = OnChainEvent.decode(onchainWire);
      const isChannel = (onchain.type as number) === CHANNEL_REGISTER_EVENT;
      return isChannel ? { onchain, onchainWire } : { onchain };
    }
    reader.skip();
  }
  throw new WireError('the event carries no onchain event');
};

const readConfirmedBody = (bytes: Uint8Array): number | undefined => {
  const reader = new WireReader(bytes);
  let total: number | undefined;
  while (reader.next()) {
    if (reader.field === 5) total = reader.uint64();
    else reader.skip();
  }
  return total;
};
