import { equalBytes } from '../../bytes.js';
import { toHex } from '../../hex.js';
import { dataEncodings } from '../wire/data-encoding.js';
import { messageTypeName } from '../wire/decode.js';
import type { ProtocolMessage } from '../wire/message.js';
import { BODIES } from './body.js';
import { hashSchemeNames, networkNames, signatureSchemeNames } from './enum.js';
import { type JsonObject, toBase64 } from './scalar.js';

/**
 * Converts a message to the JSON of hubs: the contract's `HubMessage`.
 *
 * In addition to the contract it has `castRemoveBody` (with `targetHash` in base64, as on hubs),
 * `verificationAddAddressBody`, `castAddBody.type` for casts other than plain ones, and bodies of types that the
 * contract does not list. `dataBytes` is included if the message has `data_bytes`, if no encoder of the network returns
 * the hashed bytes from `data`, and for types with an unknown body, whose type is a name or `MESSAGE_TYPE_<number>`. So
 * no message loses content.
 */
export const messageToJson = (message: ProtocolMessage): JsonObject => {
  const { envelope, data } = message;
  const body = BODIES[message.type]?.write(data);
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
};

/** @returns whether an encoder of the network returns the hashed bytes from the decoded data */
const isReproducible = ({ data, envelope }: ProtocolMessage): boolean =>
  dataEncodings(data).some((bytes) => equalBytes(bytes, envelope.dataBytes));
