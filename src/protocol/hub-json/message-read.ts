import type { MessageData, MessageType } from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import { blake3Hash20 } from '../hash.js';
import { dataEncodings, isHubForm } from '../wire/data-encoding.js';
import { encodeEnvelope } from '../wire/envelope.js';
import type { Envelope } from '../wire/message.js';
import { BODIES } from './body.js';
import { hashSchemeNames, messageTypeNames, networkNames, signatureSchemeNames } from './enum.js';
import { dataFromPackageJson } from './package-json.js';
import {
  badJson,
  isSet,
  type JsonObject,
  readBytes,
  readEnum,
  readFixedBytes,
  readObject,
  readText,
  readUint,
  readUint32,
} from './scalar.js';

/**
 * Reads a message in hub JSON of any hub software, in the contract's form, or in that of the protocol's package.
 *
 * Accepted are: enumerations by either name or by number; 64-bit numbers as strings; bytes in hex or base64; null for a
 * member that is not set; the hash of a cast removal in `castRemoveBody` or in `data`; a verification in
 * `verificationAddAddressBody` or `verificationAddEthAddressBody`. Unknown members are ignored.
 *
 * With `dataBytes` the data are those bytes, `data` is ignored, and the wire form has them as `data_bytes`. Without,
 * `data` is encoded like hubs or like the protocol's package, whichever matches the hash. Types without a known body
 * need `dataBytes`.
 *
 * Nothing is verified, not even the hash.
 * @returns wire bytes of the protobuf `Message`
 * @throws AppError invalid with the path of the faulty member (`data.castAddBody.mentions[0]`)
 */
export const messageFromJson = (json: unknown): Uint8Array => encodeEnvelope(envelopeFromJson(json));

/**
 * As {@link messageFromJson}, for a submitted message: data that hubs would encode differently are sent as
 * `data_bytes`, as the protocol's package does.
 * @throws AppError invalid with the path of the faulty member
 */
export const submissionFromJson = (json: unknown): Uint8Array => {
  const envelope = envelopeFromJson(json);
  return encodeEnvelope({ ...envelope, dataForm: isHubForm(envelope.dataBytes) ? envelope.dataForm : 'data_bytes' });
};

const envelopeFromJson = (json: unknown): Envelope => {
  const message = readObject(json, '');
  const isRaw = isSet(message.dataBytes) && message.dataBytes !== '';
  return {
    dataBytes: isRaw ? readBytes(message.dataBytes, 'dataBytes') : dataFromJson(message),
    dataForm: isRaw ? 'data_bytes' : 'data',
    hash: readFixedBytes(message.hash, 'hash', 20),
    hashScheme: readEnum(message.hashScheme, 'hashScheme', hashSchemeNames),
    signature: readBytes(message.signature, 'signature'),
    signatureScheme: readEnum(message.signatureScheme, 'signatureScheme', signatureSchemeNames),
    signer: signerFromJson(message.signer),
  };
};

/** A 32-byte key, or a 20-byte address with an EIP-712 signature. */
const signerFromJson = (value: unknown): Uint8Array => {
  const isAddress = /^(0x)?[0-9a-fA-F]{40}$/.test(readText(value, 'signer'));
  return readFixedBytes(value, 'signer', isAddress ? 20 : 32);
};

/** @returns the encoding of `data` that matches the hash of the message; that of hubs if none does */
const dataFromJson = ({ data, hash }: JsonObject): Uint8Array => {
  const hub = attempt(() => dataEncodings(dataFromHubJson(data)));
  const expected = attempt(() => readFixedBytes(hash, 'hash', 20));
  const isHashed = (bytes: Uint8Array): boolean =>
    'value' in expected && equalBytes(blake3Hash20(bytes), expected.value);
  const exact = 'value' in hub ? hub.value.find(isHashed) : undefined;
  if (exact !== undefined) return exact;
  const fromPackage = dataFromPackageJson(data);
  const other = fromPackage && dataEncodings(fromPackage).find(isHashed);
  if (other !== undefined) return other;
  if ('fault' in hub) throw hub.fault;
  return hub.value[0];
};

const attempt = <T>(read: () => T): { readonly value: T } | { readonly fault: unknown } => {
  try {
    return { value: read() };
  } catch (fault) {
    return { fault };
  }
};

const dataFromHubJson = (json: unknown): MessageData => {
  const data = readObject(json, 'data');
  const type = readEnum(data.type, 'data.type', messageTypeNames);
  const body = BODIES[type]?.read(data);
  if (!body) throw badJson('data.type', 'a kind whose body is known, or dataBytes must be given beside data');
  return {
    type: type as MessageType,
    fid: readUint(data.fid, 'data.fid'),
    timestamp: readUint32(data.timestamp, 'data.timestamp'),
    network: readEnum(data.network, 'data.network', networkNames),
    ...body,
  };
};
