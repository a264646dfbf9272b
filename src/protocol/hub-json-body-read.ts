import {
  type CastAddBody,
  type CastId,
  type Embed,
  type FrameActionBody,
  type LinkBody,
  type MessageData,
  MessageType,
  type ReactionBody,
} from '@farcaster/core';
import {
  keyAddFromJson,
  keyRemoveFromJson,
  lendStorageFromJson,
  userDataFromJson,
  verificationAddFromJson,
  verificationRemoveFromJson,
} from './hub-json-account-read.js';
import { castTypeNames, reactionTypeNames } from './hub-json/enum.js';
import { usernameProofFromJson } from './hub-json-proof.js';
import {
  badJson,
  isSet,
  type JsonObject,
  readBytes,
  readEnum,
  readFixedBytes,
  readList,
  readObject,
  readText,
  readUint,
  readUint32,
} from './hub-json/scalar.js';

type Body = Partial<Omit<MessageData, 'type' | 'fid' | 'timestamp' | 'network'>>;

/**
 * @param type `MessageType` number
 * @param data the member `data` of a message in hub JSON
 * @returns the one body that the type asks for, or undefined for a type without a known body
 * @throws AppError invalid with the path of the member at fault
 */
export function bodyFromJson(type: number, data: JsonObject): Body | undefined {
  switch (type) {
    case MessageType.CAST_ADD:
      return { castAddBody: castAdd(readObject(data.castAddBody, 'data.castAddBody')) };
    case MessageType.CAST_REMOVE:
      return { castRemoveBody: { targetHash: removedHash(data) } };
    case MessageType.REACTION_ADD:
    case MessageType.REACTION_REMOVE:
      return { reactionBody: reaction(readObject(data.reactionBody, 'data.reactionBody')) };
    case MessageType.LINK_ADD:
    case MessageType.LINK_REMOVE:
      return { linkBody: link(readObject(data.linkBody, 'data.linkBody')) };
    case MessageType.LINK_COMPACT_STATE: {
      const at = 'data.linkCompactStateBody';
      const body = readObject(data.linkCompactStateBody, at);
      const targetFids = readList(body.targetFids, `${at}.targetFids`, readFid);
      return { linkCompactStateBody: { type: readText(body.type, `${at}.type`), targetFids } };
    }
    case MessageType.VERIFICATION_ADD_ETH_ADDRESS:
      return { verificationAddAddressBody: verificationAddFromJson(data) };
    case MessageType.VERIFICATION_REMOVE:
      return { verificationRemoveBody: verificationRemoveFromJson(data) };
    case MessageType.USER_DATA_ADD:
      return { userDataBody: userDataFromJson(data) };
    case MessageType.USERNAME_PROOF:
      return { usernameProofBody: usernameProofFromJson(data.usernameProofBody, 'data.usernameProofBody') };
    case MessageType.FRAME_ACTION:
      return { frameActionBody: frameAction(readObject(data.frameActionBody, 'data.frameActionBody')) };
    case MessageType.LEND_STORAGE:
      return { lendStorageBody: lendStorageFromJson(data) };
    case MessageType.KEY_ADD:
      return { keyAddBody: keyAddFromJson(data) };
    case MessageType.KEY_REMOVE:
      return { keyRemoveBody: keyRemoveFromJson(data) };
    default:
      return undefined;
  }
}

/** For lists, whose third argument is not the limit. */
const readFid = (value: unknown, at: string): number => readUint(value, at);

function castId(value: unknown, at: string): CastId {
  const id = readObject(value, at);
  return { fid: readUint(id.fid, `${at}.fid`), hash: readFixedBytes(id.hash, `${at}.hash`, 20) };
}

/** Protobuf has one of the two; an object with both could not be signed. */
function oneOf(body: JsonObject, at: string, first: string, second: string): void {
  if (isSet(body[first]) && isSet(body[second])) throw badJson(`${at}.${second}`, `absent where ${first} is given`);
}

function castAdd(body: JsonObject): CastAddBody {
  const at = 'data.castAddBody';
  oneOf(body, at, 'parentCastId', 'parentUrl');
  return {
    embedsDeprecated: readList(body.embedsDeprecated, `${at}.embedsDeprecated`, readText),
    mentions: readList(body.mentions, `${at}.mentions`, readFid),
    parentCastId: isSet(body.parentCastId) ? castId(body.parentCastId, `${at}.parentCastId`) : undefined,
    parentUrl: isSet(body.parentUrl) ? readText(body.parentUrl, `${at}.parentUrl`) : undefined,
    text: isSet(body.text) ? readText(body.text, `${at}.text`) : '',
    mentionsPositions: readList(body.mentionsPositions, `${at}.mentionsPositions`, readUint32),
    embeds: readList(body.embeds, `${at}.embeds`, embed),
    type: isSet(body.type) ? readEnum(body.type, `${at}.type`, castTypeNames) : 0,
  };
}

function embed(value: unknown, at: string): Embed {
  const body = readObject(value, at);
  oneOf(body, at, 'castId', 'url');
  return isSet(body.castId)
    ? { castId: castId(body.castId, `${at}.castId`) }
    : { url: readText(body.url, `${at}.url`) };
}

function removedHash(data: JsonObject): Uint8Array {
  if (!isSet(data.castRemoveBody)) return readFixedBytes(data.targetHash, 'data.targetHash', 20);
  const at = 'data.castRemoveBody';
  return readFixedBytes(readObject(data.castRemoveBody, at).targetHash, `${at}.targetHash`, 20);
}

function reaction(body: JsonObject): ReactionBody {
  const at = 'data.reactionBody';
  oneOf(body, at, 'targetCastId', 'targetUrl');
  return {
    type: readEnum(body.type, `${at}.type`, reactionTypeNames),
    targetCastId: isSet(body.targetCastId) ? castId(body.targetCastId, `${at}.targetCastId`) : undefined,
    targetUrl: isSet(body.targetUrl) ? readText(body.targetUrl, `${at}.targetUrl`) : undefined,
  };
}

function link(body: JsonObject): LinkBody {
  const at = 'data.linkBody';
  return {
    type: readText(body.type, `${at}.type`),
    displayTimestamp: isSet(body.displayTimestamp)
      ? readUint32(body.displayTimestamp, `${at}.displayTimestamp`)
      : undefined,
    targetFid: isSet(body.targetFid) ? readUint(body.targetFid, `${at}.targetFid`) : undefined,
  };
}

/** Hub software writes the URL in base64, the contract as text; a URL has a colon, base64 has none. */
function frameUrl(value: unknown, at: string): Uint8Array {
  const text = readText(value, at);
  return text.includes(':') ? Buffer.from(text, 'utf8') : readBytes(text, at);
}

function frameAction(body: JsonObject): FrameActionBody {
  const at = 'data.frameActionBody';
  const bytes = (name: string): Uint8Array =>
    isSet(body[name]) ? readBytes(body[name], `${at}.${name}`) : new Uint8Array();
  return {
    url: frameUrl(body.url, `${at}.url`),
    buttonIndex: readUint32(body.buttonIndex, `${at}.buttonIndex`),
    castId: isSet(body.castId) ? castId(body.castId, `${at}.castId`) : undefined,
    inputText: bytes('inputText'),
    state: bytes('state'),
    transactionId: bytes('transactionId'),
    address: bytes('address'),
  };
}
