import {
  base58ToBytes,
  type KeyAddBody,
  type KeyRemoveBody,
  type LendStorageBody,
  Protocol,
  type UserDataBody,
  type VerificationAddAddressBody,
  type VerificationRemoveBody,
} from '@farcaster/core';
import { messageTypeNames, protocolNames, storageUnitNames, userDataTypeNames } from './hub-json/enum.js';
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

/*
 * Bodies that say something of the account itself. Each function takes the member `data` of a message in hub JSON and
 * throws AppError invalid with the path of the member at fault.
 */

export function userDataFromJson(data: JsonObject): UserDataBody {
  const at = 'data.userDataBody';
  const body = readObject(data.userDataBody, at);
  return {
    type: readEnum(body.type, `${at}.type`, userDataTypeNames),
    value: isSet(body.value) ? readText(body.value, `${at}.value`) : '',
  };
}

export function verificationAddFromJson(data: JsonObject): VerificationAddAddressBody {
  const isNew = isSet(data.verificationAddAddressBody);
  const at = isNew ? 'data.verificationAddAddressBody' : 'data.verificationAddEthAddressBody';
  const body = readObject(isNew ? data.verificationAddAddressBody : data.verificationAddEthAddressBody, at);
  const protocol = protocolOf(body, at);
  const signature = isSet(body.claimSignature) ? 'claimSignature' : 'ethSignature';
  const kind = isSet(body.verificationType) ? 'verificationType' : 'type';
  return {
    address: onChainBytes(protocol, body.address, `${at}.address`),
    claimSignature: readBytes(body[signature], `${at}.${signature}`),
    blockHash: onChainBytes(protocol, body.blockHash, `${at}.blockHash`),
    verificationType: isSet(body[kind]) ? readUint32(body[kind], `${at}.${kind}`) : 0,
    chainId: isSet(body.chainId) ? readUint32(body.chainId, `${at}.chainId`) : 0,
    protocol,
  };
}

export function verificationRemoveFromJson(data: JsonObject): VerificationRemoveBody {
  const at = 'data.verificationRemoveBody';
  const body = readObject(data.verificationRemoveBody, at);
  const protocol = protocolOf(body, at);
  return { address: onChainBytes(protocol, body.address, `${at}.address`), protocol };
}

export function lendStorageFromJson(data: JsonObject): LendStorageBody {
  const at = 'data.lendStorageBody';
  const body = readObject(data.lendStorageBody, at);
  return {
    toFid: readUint(body.toFid, `${at}.toFid`),
    numUnits: readUint(body.numUnits, `${at}.numUnits`),
    unitType: readEnum(body.unitType, `${at}.unitType`, storageUnitNames),
  };
}

export function keyAddFromJson(data: JsonObject): KeyAddBody {
  const at = 'data.keyAddBody';
  const body = readObject(data.keyAddBody, at);
  return {
    key: readFixedBytes(body.key, `${at}.key`, 32),
    keyType: readUint32(body.keyType, `${at}.keyType`),
    custodySignature: readBytes(body.custodySignature, `${at}.custodySignature`),
    deadline: readUint32(body.deadline, `${at}.deadline`),
    nonce: readUint32(body.nonce, `${at}.nonce`),
    metadata: readBytes(body.metadata, `${at}.metadata`),
    metadataType: readUint32(body.metadataType, `${at}.metadataType`),
    registrationTxHash: isSet(body.registrationTxHash)
      ? readBytes(body.registrationTxHash, `${at}.registrationTxHash`)
      : new Uint8Array(),
    scopes: readList(body.scopes, `${at}.scopes`, (scope, path) => readEnum(scope, path, messageTypeNames)),
    ttl: readUint32(body.ttl, `${at}.ttl`),
  };
}

export function keyRemoveFromJson(data: JsonObject): KeyRemoveBody {
  const at = 'data.keyRemoveBody';
  const body = readObject(data.keyRemoveBody, at);
  return {
    key: readFixedBytes(body.key, `${at}.key`, 32),
    signature: readBytes(body.signature, `${at}.signature`),
    signatureType: readUint32(body.signatureType, `${at}.signatureType`),
    deadline: readUint32(body.deadline, `${at}.deadline`),
    nonce: readUint32(body.nonce, `${at}.nonce`),
  };
}

/** Hex is an address of Ethereum, anything else one of Solana; `protocol` says so, too, but only in newer JSON. */
function protocolOf(body: JsonObject, at: string): Protocol {
  if (isSet(body.protocol)) return readEnum(body.protocol, `${at}.protocol`, protocolNames);
  return readText(body.address, `${at}.address`).startsWith('0x') ? Protocol.ETHEREUM : Protocol.SOLANA;
}

/** Addresses and block hashes of Solana are 32 bytes and have 44 characters at most; what is wrong is told later. */
const MAX_BASE58_LENGTH = 128;

function onChainBytes(protocol: Protocol, value: unknown, at: string): Uint8Array {
  const text = readText(value, at);
  if (protocol !== Protocol.SOLANA || text.startsWith('0x')) return readBytes(text, at);
  // Decoding takes time that grows with the square of the length.
  if (text.length > MAX_BASE58_LENGTH) throw badJson(at, 'base58 of 32 bytes');
  return base58ToBytes(text).match(
    (bytes) => bytes,
    () => {
      throw badJson(at, 'base58');
    },
  );
}
