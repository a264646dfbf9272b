import type { FarcasterNetwork } from '@farcaster/core';
import { HashScheme, MessageData, MessageType, ReactionType, SignatureScheme } from '@farcaster/core';
import type { ChannelMessage } from '../protocol/channel/decode.js';
import { channelUrl } from '../protocol/channel/identity.js';
import { ChannelMessageType, ModerateAction } from '../protocol/channel/type.js';
import { blake3Hash20 } from '../protocol/hash.js';
import { encodeEnvelope } from '../protocol/wire/envelope.js';
import { encodeByteString, encodeVarint } from '../protocol/wire/wire.js';
import type { Author, Draft } from './unsigned-message.js';

const number = (field: number, value: number): Uint8Array =>
  new Uint8Array(Buffer.concat([encodeVarint(field * 8), encodeVarint(value)]));

const bytes = (field: number, value: Uint8Array | undefined): Uint8Array[] =>
  value === undefined ? [] : [encodeByteString(field, value)];

/** A text that is null stays away, which clears it. */
const text = (field: number, value: string | null): Uint8Array[] =>
  bytes(field, value === null ? undefined : Buffer.from(value, 'utf8'));

/** @returns the fields of the body after the id of the channel, in ascending order */
const fieldsOf = (message: ChannelMessage): readonly Uint8Array[] => {
  if (message.kind === 'pin') return bytes(2, message.castHash);
  if (message.kind === 'member') return [number(2, message.fid), number(3, message.action)];
  if (message.kind === 'moderate') {
    const action = message.isHidden ? ModerateAction.hide : ModerateAction.unhide;
    return [...bytes(2, message.castHash), number(3, action)];
  }
  const { name, description, imageUrl, header, rules, castingMode, membershipMode } = message.metadata;
  const texts = [name, description, imageUrl, header, rules].flatMap((one, index) => text(index + 2, one));
  return [...texts, number(7, castingMode), number(8, membershipMode)];
};

/** The body of each kind is in the field of `MessageData` with this number above its type. */
const BODY_FIELD_OFFSET = 3;

/**
 * Signs a message of kind 18 to 21, which the network accepts from version 21 on. The key must be registered onchain:
 * hubs refuse these messages from a key that a message registered.
 * @param timestamp protocol seconds
 * @returns bytes of the protobuf `Message`
 */
export const signChannelMessage = (
  author: Author,
  message: ChannelMessage,
  timestamp: number,
  network: FarcasterNetwork,
): Uint8Array => {
  const type = ChannelMessageType[message.kind];
  const head = MessageData.encode(
    MessageData.create({ type: type as number as MessageType, fid: author.fid, timestamp, network }),
  ).finish();
  const body = Buffer.concat([encodeByteString(1, message.channelId), ...fieldsOf(message)]);
  const dataBytes = new Uint8Array(Buffer.concat([head, encodeByteString(type + BODY_FIELD_OFFSET, body)]));
  const hash = blake3Hash20(dataBytes);
  return encodeEnvelope({
    dataBytes,
    dataForm: 'data_bytes',
    hash,
    hashScheme: HashScheme.BLAKE3,
    signature: author.sign(hash),
    signatureScheme: SignatureScheme.ED25519,
    signer: author.publicKey,
  });
};

/**
 * @param registrar `eip155:<chain>/erc721:<address>`
 * @param channelId 32 bytes
 * @returns the like of the channel's URL that follows it, or the removal of that like
 */
export const draftChannelFollow = (registrar: string, channelId: Uint8Array, isFollow: boolean): Draft => ({
  type: isFollow ? MessageType.REACTION_ADD : MessageType.REACTION_REMOVE,
  reactionBody: { type: ReactionType.LIKE, targetUrl: channelUrl(registrar, channelId) },
});
