import type { MessageData, MessageType } from '@farcaster/core';
import { dataEncodings, isHubForm } from '../wire/data-encoding.js';
import { encodeEnvelope } from '../wire/envelope.js';
import { blake3Hash20 } from '../hash.js';
import { bodyFromJson } from '../hub-json-body-read.js';
import { hashSchemeNames, messageTypeNames, networkNames, signatureSchemeNames } from './enum.js';
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
import type { Envelope } from '../wire/message.js';
import { dataFromPackageJson } from './package-json.js';

/**
 * Reads a message in hub JSON, of any hub software and of the contract's form, and in that of the protocol's package.
 *
 * Taken are: enumerations by name, in either spelling of the network, or by number; 64-bit numbers as strings; bytes in
 * hex or base64; null for what is not set; a cast removal's hash in `castRemoveBody` or beside it, a verification in
 * `verificationAddAddressBody` or `verificationAddEthAddressBody`. Members that are not known are passed over.
 *
 * With `dataBytes` the data are those bytes, whatever `data` says, and the wire form has them as `data_bytes`. Without,
 * `data` is encoded as hubs or as the protocol's package do it, whichever gives the hash. Kinds without a known body
 * need `dataBytes`.
 *
 * Nothing is verified: whether the hash fits is for the verification to say.
 * @returns wire bytes of the protobuf `Message`
 * @throws AppError invalid with the path of the member at fault (`data.castAddBody.mentions[0]`)
 */
export function messageFromJson(json: unknown): Uint8Array {
  return encodeEnvelope(envelopeFromJson(json));
}

/**
 * As {@link messageFromJson}, for a message that is submitted: data that hubs would encode in another way stand in
 * `data_bytes`, as the protocol's package sends them.
 * @throws AppError invalid with the path of the member at fault
 */
export function submissionFromJson(json: unknown): Uint8Array {
  const envelope = envelopeFromJson(json);
  return encodeEnvelope({ ...envelope, dataForm: isHubForm(envelope.dataBytes) ? envelope.dataForm : 'data_bytes' });
}

function envelopeFromJson(json: unknown): Envelope {
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
}

/** A key of 32 bytes, or an address of 20 in signatures by EIP-712. */
function signerFromJson(value: unknown): Uint8Array {
  const isAddress = /^(0x)?[0-9a-fA-F]{40}$/.test(readText(value, 'signer'));
  return readFixedBytes(value, 'signer', isAddress ? 20 : 32);
}

/** @returns the encoding of `data` that has the hash of the message; where none has, that of hubs */
function dataFromJson({ data, hash }: JsonObject): Uint8Array {
  const hub = attempt(() => dataEncodings(dataFromHubJson(data)));
  const expected = attempt(() => readFixedBytes(hash, 'hash', 20));
  const isHashed = (bytes: Uint8Array): boolean =>
    'value' in expected && Buffer.compare(blake3Hash20(bytes), expected.value) === 0;
  const exact = 'value' in hub ? hub.value.find(isHashed) : undefined;
  if (exact !== undefined) return exact;
  const fromPackage = dataFromPackageJson(data);
  const other = fromPackage && dataEncodings(fromPackage).find(isHashed);
  if (other !== undefined) return other;
  if ('fault' in hub) throw hub.fault;
  return hub.value[0];
}

function attempt<T>(read: () => T): { readonly value: T } | { readonly fault: unknown } {
  try {
    return { value: read() };
  } catch (fault) {
    return { fault };
  }
}

function dataFromHubJson(json: unknown): MessageData {
  const data = readObject(json, 'data');
  const type = readEnum(data.type, 'data.type', messageTypeNames);
  const body = bodyFromJson(type, data);
  if (!body) throw badJson('data.type', 'a kind whose body is known, or dataBytes must be given beside data');
  return {
    type: type as MessageType,
    fid: readUint(data.fid, 'data.fid'),
    timestamp: readUint32(data.timestamp, 'data.timestamp'),
    network: readEnum(data.network, 'data.network', networkNames),
    ...body,
  };
}
