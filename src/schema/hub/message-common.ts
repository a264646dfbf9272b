import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { namedObject } from '../named.js';
import { HubHashScheme, HubMessageType, HubNetwork, HubSignatureScheme } from './scalar.js';

export const HubMessageCommon = namedObject('HubMessageCommon', {
  hash: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  hashScheme: HubHashScheme,
  signature: Base64,
  signatureScheme: HubSignatureScheme,
  signer: Type.String({ pattern: '^0x[0-9a-fA-F]+$' }),
  dataBytes: Type.Optional(
    Type.String({
      format: 'byte',
      description: 'The bytes under the hash, where the message was sent with them instead of decoded data.',
    }),
  ),
});
export type HubMessageCommon = Static<typeof HubMessageCommon>;

export const HubMessageDataCommon = namedObject('HubMessageDataCommon', {
  type: Type.Optional(HubMessageType),
  fid: Type.Integer({ format: 'uint64' }),
  timestamp: Type.Integer({
    format: 'int64',
    description: 'Seconds since 2021-01-01T00:00:00Z; at creation within 10 minutes of now.',
  }),
  network: HubNetwork,
});
