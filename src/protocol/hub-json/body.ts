import {
  type CastAddBody,
  type CastId,
  type Embed,
  type FrameActionBody,
  type KeyAddBody,
  type KeyRemoveBody,
  type LendStorageBody,
  type LinkBody,
  type LinkCompactStateBody,
  type MessageData,
  MessageType,
  type ReactionBody,
  type UserDataBody,
} from '@farcaster/core';
import { toHex } from '../../hex.js';
import {
  base64,
  type Codec,
  enumOf,
  hex,
  hexOf,
  list,
  object,
  optional,
  text,
  uint,
  uint32,
  withDefault,
} from './codec.js';
import { castTypeNames, messageTypeNames, reactionTypeNames, storageUnitNames, userDataTypeNames } from './enum.js';
import { usernameProof } from './proof.js';
import {
  badJson,
  isSet,
  type JsonObject,
  readBytes,
  readFixedBytes,
  readObject,
  readText,
  toBase64,
  toText,
} from './scalar.js';
import { verificationAdd, verificationRemove } from './verification.js';

export type Body = Partial<Omit<MessageData, 'type' | 'fid' | 'timestamp' | 'network'>>;

/** The body of one message type, as members of `data` in hub JSON. */
export interface BodyCodec {
  /** @returns undefined when the message has no such body */
  write(data: MessageData): JsonObject | undefined;
  /** @throws AppError invalid with the path of the faulty member */
  read(data: JsonObject): Body;
}

/** A body that has the same name in protobuf and in hub JSON. */
const body = <Name extends keyof Body>(name: Name, codec: Codec<NonNullable<Body[Name]>>): BodyCodec => ({
  write: (data) => data[name] && { [name]: codec.write(data[name] as NonNullable<Body[Name]>) },
  read: (data) => ({ [name]: codec.read(data[name], `data.${name}`) }),
});

/** Protobuf holds one of the two members, so an object with both could not be signed. */
const oneOf =
  (first: string, second: string) =>
  (json: JsonObject, at: string): void => {
    if (isSet(json[first]) && isSet(json[second])) throw badJson(`${at}.${second}`, `absent where ${first} is given`);
  };

const castId = object<CastId>({ fid: uint, hash: hexOf(20) });
const castType = enumOf(castTypeNames);
const isOneEmbed = oneOf('castId', 'url');

const embed: Codec<Embed> = {
  write: (value) => (value.castId ? { castId: castId.write(value.castId) } : { url: value.url ?? '' }),
  read: (json, at) => {
    const value = readObject(json, at);
    isOneEmbed(value, at);
    return isSet(value.castId)
      ? { castId: castId.read(value.castId, `${at}.castId`) }
      : { url: readText(value.url, `${at}.url`) };
  },
};

const castAdd = object<CastAddBody>(
  {
    embedsDeprecated: list(text),
    mentions: list(uint),
    parentCastId: optional(castId),
    parentUrl: optional(text),
    text: withDefault(text, ''),
    mentionsPositions: list(uint32),
    embeds: list(embed),
    type: {
      // The contract has no member for the type of a plain cast.
      write: (type) => (type === 0 ? undefined : castType.write(type)),
      read: (json, at) => (isSet(json) ? castType.read(json, at) : 0),
    },
  },
  oneOf('parentCastId', 'parentUrl'),
);

/** The contract has the hash in `data` itself as hex, hub software in `castRemoveBody` as base64. */
const castRemove: BodyCodec = {
  write: ({ castRemoveBody }) => {
    const hash = castRemoveBody?.targetHash;
    return hash && { targetHash: toHex(hash), castRemoveBody: { targetHash: toBase64(hash) } };
  },
  read: (data) => {
    const at = 'data.castRemoveBody';
    const targetHash = isSet(data.castRemoveBody)
      ? readFixedBytes(readObject(data.castRemoveBody, at).targetHash, `${at}.targetHash`, 20)
      : readFixedBytes(data.targetHash, 'data.targetHash', 20);
    return { castRemoveBody: { targetHash } };
  },
};

const reaction = body(
  'reactionBody',
  object<ReactionBody>(
    { type: enumOf(reactionTypeNames), targetCastId: optional(castId), targetUrl: optional(text) },
    oneOf('targetCastId', 'targetUrl'),
  ),
);

const link = body(
  'linkBody',
  object<LinkBody>({ type: text, displayTimestamp: optional(uint32), targetFid: optional(uint) }),
);

/** The contract has the URL as text, hub software in base64. A URL has a colon, base64 has none. */
const frameUrl: Codec<Uint8Array> = {
  write: toText,
  read: (json, at) => {
    const url = readText(json, at);
    return url.includes(':') ? Buffer.from(url, 'utf8') : readBytes(url, at);
  },
};

const NO_BYTES = new Uint8Array();

const frameAction = object<FrameActionBody>({
  url: frameUrl,
  buttonIndex: uint32,
  castId: optional(castId),
  inputText: withDefault(base64, NO_BYTES),
  state: withDefault(base64, NO_BYTES),
  transactionId: withDefault(base64, NO_BYTES),
  address: withDefault(hex, NO_BYTES),
});

const keyAdd = object<KeyAddBody>({
  key: hexOf(32),
  keyType: uint32,
  custodySignature: hex,
  deadline: uint32,
  nonce: uint32,
  metadata: hex,
  metadataType: uint32,
  registrationTxHash: withDefault(hex, NO_BYTES),
  scopes: list(enumOf(messageTypeNames)),
  ttl: uint32,
});

const keyRemove = object<KeyRemoveBody>({
  key: hexOf(32),
  signature: hex,
  signatureType: uint32,
  deadline: uint32,
  nonce: uint32,
});

/** By `MessageType`. Types without an entry have a body that is not known. */
export const BODIES: Readonly<Record<number, BodyCodec>> = {
  [MessageType.CAST_ADD]: body('castAddBody', castAdd),
  [MessageType.CAST_REMOVE]: castRemove,
  [MessageType.REACTION_ADD]: reaction,
  [MessageType.REACTION_REMOVE]: reaction,
  [MessageType.LINK_ADD]: link,
  [MessageType.LINK_REMOVE]: link,
  [MessageType.LINK_COMPACT_STATE]: body(
    'linkCompactStateBody',
    object<LinkCompactStateBody>({ type: text, targetFids: list(uint) }),
  ),
  [MessageType.VERIFICATION_ADD_ETH_ADDRESS]: verificationAdd,
  [MessageType.VERIFICATION_REMOVE]: verificationRemove,
  [MessageType.USER_DATA_ADD]: body(
    'userDataBody',
    object<UserDataBody>({ type: enumOf(userDataTypeNames), value: withDefault(text, '') }),
  ),
  [MessageType.USERNAME_PROOF]: body('usernameProofBody', usernameProof),
  [MessageType.FRAME_ACTION]: body('frameActionBody', frameAction),
  [MessageType.LEND_STORAGE]: body(
    'lendStorageBody',
    object<LendStorageBody>({ toFid: uint, numUnits: uint, unitType: enumOf(storageUnitNames) }),
  ),
  [MessageType.KEY_ADD]: body('keyAddBody', keyAdd),
  [MessageType.KEY_REMOVE]: body('keyRemoveBody', keyRemove),
};
