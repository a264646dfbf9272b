import {
  bytesToBase58,
  type CastAddBody,
  type CastId,
  type FrameActionBody,
  type KeyAddBody,
  type KeyRemoveBody,
  type MessageData,
  MessageType,
  Protocol,
  type VerificationAddAddressBody,
} from '@farcaster/core';
import { dataEncodings } from './wire/data-encoding.js';
import { messageTypeName } from './wire/decode.js';
import {
  castTypeNames,
  hashSchemeNames,
  networkNames,
  protocolNames,
  reactionTypeNames,
  signatureSchemeNames,
  storageUnitNames,
  userDataTypeNames,
} from './hub-json/enum.js';
import { usernameProofToJson } from './hub-json-proof.js';
import { type JsonObject, toBase64, toHex, toText } from './hub-json/scalar.js';
import type { ProtocolMessage } from './wire/message.js';

/**
 * A message as hubs write it in JSON: the contract's `HubMessage`.
 *
 * Beside the contract: `castRemoveBody` (its `targetHash` in base64, as hubs have it) and `verificationAddAddressBody`,
 * `castAddBody.type` for casts that are not plain ones, bodies of kinds that the contract does not list.
 * `dataBytes` is there when the message came with `data_bytes`, when no encoder of the network makes the same bytes of
 * `data`, and for kinds whose body is not known: they show their type by name or as `MESSAGE_TYPE_<number>`, and nothing
 * of them is lost.
 */
export function messageToJson(message: ProtocolMessage): JsonObject {
  const { envelope, data } = message;
  const body = bodyToJson(message.type, data);
  const json: Record<string, unknown> = {
    data: {
      type: messageTypeName(message.type),
      fid: message.fid,
      timestamp: message.timestamp,
      network: networkNames.name(data.network),
      ...body,
    },
    hash: toHex(envelope.hash),
    hashScheme: hashSchemeNames.name(envelope.hashScheme),
    signature: toBase64(envelope.signature),
    signatureScheme: signatureSchemeNames.name(envelope.signatureScheme),
    signer: toHex(envelope.signer),
  };
  if (envelope.dataForm === 'data_bytes' || body === undefined || !isReproducible(message)) {
    json.dataBytes = toBase64(envelope.dataBytes);
  }
  return json;
}

/** Whether an encoder of the network gets the hashed bytes back from the decoded data. */
const isReproducible = ({ data, envelope }: ProtocolMessage): boolean =>
  dataEncodings(data).some((bytes) => Buffer.compare(bytes, envelope.dataBytes) === 0);

/** @returns undefined when the body is missing or of a kind that is not known */
function bodyToJson(type: number, data: MessageData): JsonObject | undefined {
  switch (type) {
    case MessageType.CAST_ADD:
      return data.castAddBody && { castAddBody: castAdd(data.castAddBody) };
    case MessageType.CAST_REMOVE: {
      const hash = data.castRemoveBody?.targetHash;
      return hash && { targetHash: toHex(hash), castRemoveBody: { targetHash: toBase64(hash) } };
    }
    case MessageType.REACTION_ADD:
    case MessageType.REACTION_REMOVE:
      return data.reactionBody && { reactionBody: reaction(data.reactionBody) };
    case MessageType.LINK_ADD:
    case MessageType.LINK_REMOVE:
      return data.linkBody && { linkBody: link(data.linkBody) };
    case MessageType.LINK_COMPACT_STATE: {
      const body = data.linkCompactStateBody;
      return body && { linkCompactStateBody: { type: body.type, targetFids: body.targetFids } };
    }
    case MessageType.VERIFICATION_ADD_ETH_ADDRESS:
      return data.verificationAddAddressBody && verificationAdd(data.verificationAddAddressBody);
    case MessageType.VERIFICATION_REMOVE: {
      const body = data.verificationRemoveBody;
      return body && { verificationRemoveBody: { address: onChain(body.protocol, body.address), ...chain(body) } };
    }
    case MessageType.USER_DATA_ADD: {
      const body = data.userDataBody;
      return body && { userDataBody: { type: userDataTypeNames.name(body.type), value: body.value } };
    }
    case MessageType.USERNAME_PROOF:
      return data.usernameProofBody && { usernameProofBody: usernameProofToJson(data.usernameProofBody) };
    case MessageType.FRAME_ACTION:
      return data.frameActionBody && { frameActionBody: frameAction(data.frameActionBody) };
    case MessageType.LEND_STORAGE: {
      const body = data.lendStorageBody;
      return body && { lendStorageBody: { ...body, unitType: storageUnitNames.name(body.unitType) } };
    }
    case MessageType.KEY_ADD:
      return data.keyAddBody && { keyAddBody: keyAdd(data.keyAddBody) };
    case MessageType.KEY_REMOVE:
      return data.keyRemoveBody && { keyRemoveBody: keyRemove(data.keyRemoveBody) };
    default:
      return undefined;
  }
}

const castId = (id: CastId): JsonObject => ({ fid: id.fid, hash: toHex(id.hash) });

function castAdd(body: CastAddBody): JsonObject {
  const json: Record<string, unknown> = { embedsDeprecated: body.embedsDeprecated, mentions: body.mentions };
  if (body.parentCastId) json.parentCastId = castId(body.parentCastId);
  if (body.parentUrl !== undefined) json.parentUrl = body.parentUrl;
  json.text = body.text;
  json.mentionsPositions = body.mentionsPositions;
  json.embeds = body.embeds.map((embed) =>
    embed.castId ? { castId: castId(embed.castId) } : { url: embed.url ?? '' },
  );
  if (body.type !== 0) json.type = castTypeNames.name(body.type);
  return json;
}

function reaction(body: NonNullable<MessageData['reactionBody']>): JsonObject {
  const json: Record<string, unknown> = { type: reactionTypeNames.name(body.type) };
  if (body.targetCastId) json.targetCastId = castId(body.targetCastId);
  if (body.targetUrl !== undefined) json.targetUrl = body.targetUrl;
  return json;
}

function link(body: NonNullable<MessageData['linkBody']>): JsonObject {
  const json: Record<string, unknown> = { type: body.type };
  if (body.displayTimestamp !== undefined) json.displayTimestamp = body.displayTimestamp;
  if (body.targetFid !== undefined) json.targetFid = body.targetFid;
  return json;
}

/** Addresses and block hashes of Ethereum are hex, those of Solana base58, as wallets show them. */
const onChain = (protocol: Protocol, bytes: Uint8Array): string =>
  protocol === Protocol.SOLANA ? bytesToBase58(bytes).unwrapOr('') : toHex(bytes);

const chain = (body: { readonly protocol: Protocol }): JsonObject => ({ protocol: protocolNames.name(body.protocol) });

/** Hub software writes the type of the verification as `type`, older hubs as `verificationType`. */
function verificationAdd(body: VerificationAddAddressBody): JsonObject {
  const address = onChain(body.protocol, body.address);
  const signature = toBase64(body.claimSignature);
  const blockHash = onChain(body.protocol, body.blockHash);
  return {
    verificationAddEthAddressBody: { address, ethSignature: signature, blockHash },
    verificationAddAddressBody: {
      address,
      claimSignature: signature,
      blockHash,
      type: body.verificationType,
      verificationType: body.verificationType,
      chainId: body.chainId,
      ...chain(body),
    },
  };
}

function frameAction(body: FrameActionBody): JsonObject {
  return {
    url: toText(body.url),
    buttonIndex: body.buttonIndex,
    ...(body.castId ? { castId: castId(body.castId) } : {}),
    inputText: toBase64(body.inputText),
    state: toBase64(body.state),
    transactionId: toBase64(body.transactionId),
    address: toHex(body.address),
  };
}

const keyAdd = (body: KeyAddBody): JsonObject => ({
  key: toHex(body.key),
  keyType: body.keyType,
  custodySignature: toHex(body.custodySignature),
  deadline: body.deadline,
  nonce: body.nonce,
  metadata: toHex(body.metadata),
  metadataType: body.metadataType,
  registrationTxHash: toHex(body.registrationTxHash),
  scopes: body.scopes.map(messageTypeName),
  ttl: body.ttl,
});

const keyRemove = (body: KeyRemoveBody): JsonObject => ({
  key: toHex(body.key),
  signature: toHex(body.signature),
  signatureType: body.signatureType,
  deadline: body.deadline,
  nonce: body.nonce,
});
