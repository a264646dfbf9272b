import {
  bytes,
  message,
  messages,
  optional,
  type Shaped,
  shape,
  text,
  texts,
  uint32,
  uint32s,
  uint64,
  uint64s,
} from './protobuf-schema.js';

// The bodies of MessageData, field by field (farcasterxyz/snapchain proto/definitions/message.proto and
// username_proof.proto). Text members are UTF-8 bytes.

const castId = shape({ fid: uint64(1), hash: bytes(2) });
export type CastIdBody = Shaped<typeof castId>;

const embed = shape({ url: optional(text(1)), castId: message(2, castId) }, [['url', 'castId']]);

export const castAddBody = shape(
  {
    embedsDeprecated: texts(1),
    mentions: uint64s(2),
    parentCastId: message(3, castId),
    text: text(4),
    mentionsPositions: uint32s(5),
    embeds: messages(6, embed),
    parentUrl: optional(text(7)),
    type: uint32(8),
  },
  [['parentCastId', 'parentUrl']],
);
export type CastAddBody = Shaped<typeof castAddBody>;

export const castRemoveBody = shape({ targetHash: bytes(1) });
export type CastRemoveBody = Shaped<typeof castRemoveBody>;

export const reactionBody = shape({ type: uint32(1), targetCastId: message(2, castId), targetUrl: optional(text(3)) }, [
  ['targetCastId', 'targetUrl'],
]);
export type ReactionBody = Shaped<typeof reactionBody>;

export const linkBody = shape({ type: text(1), displayTimestamp: optional(uint32(2)), targetFid: optional(uint64(3)) });
export type LinkBody = Shaped<typeof linkBody>;

export const linkCompactStateBody = shape({ type: text(1), targetFids: uint64s(2) });
export type LinkCompactStateBody = Shaped<typeof linkCompactStateBody>;

export const userDataBody = shape({ type: uint32(1), value: text(2) });
export type UserDataBody = Shaped<typeof userDataBody>;

export const verificationAddBody = shape({
  address: bytes(1),
  claimSignature: bytes(2),
  blockHash: bytes(3),
  verificationType: uint32(4),
  chainId: uint32(5),
  protocol: uint32(7),
});
export type VerificationAddBody = Shaped<typeof verificationAddBody>;

export const verificationRemoveBody = shape({ address: bytes(1), protocol: uint32(2) });
export type VerificationRemoveBody = Shaped<typeof verificationRemoveBody>;

export const usernameProofBody = shape({
  timestamp: uint64(1),
  name: bytes(2),
  owner: bytes(3),
  signature: bytes(4),
  fid: uint64(5),
  type: uint32(6),
});
export type UsernameProofBody = Shaped<typeof usernameProofBody>;

export const frameActionBody = shape({
  url: bytes(1),
  buttonIndex: uint32(2),
  castId: message(3, castId),
  inputText: bytes(4),
  state: bytes(5),
  transactionId: bytes(6),
  address: bytes(7),
});
export type FrameActionBody = Shaped<typeof frameActionBody>;

export const lendStorageBody = shape({ toFid: uint64(1), numUnits: uint64(2), unitType: uint32(3) });
export type LendStorageBody = Shaped<typeof lendStorageBody>;

export const keyAddBody = shape({
  key: bytes(1),
  keyType: uint32(2),
  custodySignature: bytes(3),
  deadline: uint32(4),
  nonce: uint32(5),
  metadata: bytes(6),
  metadataType: uint32(7),
  registrationTxHash: bytes(8),
  scopes: uint32s(9),
  ttl: uint32(10),
});
export type KeyAddBody = Shaped<typeof keyAddBody>;

export const keyRemoveBody = shape({
  key: bytes(1),
  signature: bytes(2),
  signatureType: uint32(3),
  deadline: uint32(4),
  nonce: uint32(5),
});
export type KeyRemoveBody = Shaped<typeof keyRemoveBody>;

// Channels: engine version 21 and later; @farcaster/core has no types for them.

export const channelUpdateBody = shape({
  channelId: bytes(1),
  name: optional(text(2)),
  description: optional(text(3)),
  imageUrl: optional(text(4)),
  header: optional(text(5)),
  rules: optional(text(6)),
  castingMode: optional(uint32(7)),
  membershipMode: optional(uint32(8)),
});
export type ChannelUpdateBody = Shaped<typeof channelUpdateBody>;

export const channelMemberBody = shape({ channelId: bytes(1), fid: uint64(2), action: uint32(3) });
export type ChannelMemberBody = Shaped<typeof channelMemberBody>;

export const channelPinBody = shape({ channelId: bytes(1), castHash: bytes(2) });
export type ChannelPinBody = Shaped<typeof channelPinBody>;

export const channelModerateBody = shape({ channelId: bytes(1), castHash: bytes(2), action: uint32(3) });
export type ChannelModerateBody = Shaped<typeof channelModerateBody>;
