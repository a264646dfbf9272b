import { base58ToBytes, bytesToBase58, type MessageData, Protocol, type VerificationRemoveBody } from '@farcaster/core';
import { toHex } from '../../hex.js';
import { protocolNames } from './enum.js';
import {
  badJson,
  isSet,
  type JsonObject,
  readBytes,
  readEnum,
  readObject,
  readText,
  readUint32,
  toBase64,
} from './scalar.js';

/** Addresses and block hashes of Ethereum are written as hex, those of Solana as base58. */
const writeOnchain = (protocol: Protocol, bytes: Uint8Array): string =>
  protocol === Protocol.SOLANA ? bytesToBase58(bytes).unwrapOr('') : toHex(bytes);

/** Older JSON has no `protocol`; then hex is an address of Ethereum, anything else one of Solana. */
const readProtocol = (body: JsonObject, at: string): Protocol => {
  if (isSet(body.protocol)) return readEnum(body.protocol, `${at}.protocol`, protocolNames);
  return readText(body.address, `${at}.address`).startsWith('0x') ? Protocol.ETHEREUM : Protocol.SOLANA;
};

/** 32 bytes have at most 44 characters; the length is checked later, with the other rules of the protocol. */
const MAX_BASE58_LENGTH = 128;

const readOnchain = (protocol: Protocol, value: unknown, at: string): Uint8Array => {
  const text = readText(value, at);
  if (protocol !== Protocol.SOLANA || text.startsWith('0x')) return readBytes(text, at);
  // The time to decode base58 grows with the square of the length.
  if (text.length > MAX_BASE58_LENGTH) throw badJson(at, 'base58 of 32 bytes');
  return base58ToBytes(text).match(
    (bytes) => bytes,
    () => {
      throw badJson(at, 'base58');
    },
  );
};

/**
 * The contract names the body `verificationAddEthAddressBody`, hub software `verificationAddAddressBody`. Hub software
 * names the type of the verification `type`, older hubs `verificationType`. All of them are written and read.
 */
export const verificationAdd = {
  write: ({ verificationAddAddressBody: body }: MessageData): JsonObject | undefined => {
    if (!body) return undefined;
    const address = writeOnchain(body.protocol, body.address);
    const signature = toBase64(body.claimSignature);
    const blockHash = writeOnchain(body.protocol, body.blockHash);
    return {
      verificationAddEthAddressBody: { address, ethSignature: signature, blockHash },
      verificationAddAddressBody: {
        address,
        claimSignature: signature,
        blockHash,
        type: body.verificationType,
        verificationType: body.verificationType,
        chainId: body.chainId,
        protocol: protocolNames.name(body.protocol),
      },
    };
  },
  read: (data: JsonObject): Pick<MessageData, 'verificationAddAddressBody'> => {
    const name = isSet(data.verificationAddAddressBody)
      ? 'verificationAddAddressBody'
      : 'verificationAddEthAddressBody';
    const at = `data.${name}`;
    const body = readObject(data[name], at);
    const protocol = readProtocol(body, at);
    const signature = isSet(body.claimSignature) ? 'claimSignature' : 'ethSignature';
    const type = isSet(body.verificationType) ? 'verificationType' : 'type';
    return {
      verificationAddAddressBody: {
        address: readOnchain(protocol, body.address, `${at}.address`),
        claimSignature: readBytes(body[signature], `${at}.${signature}`),
        blockHash: readOnchain(protocol, body.blockHash, `${at}.blockHash`),
        verificationType: isSet(body[type]) ? readUint32(body[type], `${at}.${type}`) : 0,
        chainId: isSet(body.chainId) ? readUint32(body.chainId, `${at}.chainId`) : 0,
        protocol,
      },
    };
  },
};

export const verificationRemove = {
  write: ({ verificationRemoveBody: body }: MessageData): JsonObject | undefined =>
    body && {
      verificationRemoveBody: {
        address: writeOnchain(body.protocol, body.address),
        protocol: protocolNames.name(body.protocol),
      },
    },
  read: (data: JsonObject): { readonly verificationRemoveBody: VerificationRemoveBody } => {
    const at = 'data.verificationRemoveBody';
    const body = readObject(data.verificationRemoveBody, at);
    const protocol = readProtocol(body, at);
    return { verificationRemoveBody: { address: readOnchain(protocol, body.address, `${at}.address`), protocol } };
  },
};
