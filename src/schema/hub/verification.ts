import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { namedObject } from '../named.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubMessageType } from './scalar.js';

/** Solana addresses and block hashes in base58: 32 bytes take 44 characters, sometimes fewer. */
const Base58 = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });

export const HubVerificationAddEthAddressBody = namedObject('HubVerificationAddEthAddressBody', {
  address: Type.String({ pattern: '^(?:0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$' }),
  ethSignature: Base64,
  blockHash: Type.Union([Type.String({ pattern: '^(0x[a-fA-F0-9]{64}|[1-9A-HJ-NP-Za-km-z]{44})$' }), Base58]),
});
export type HubVerificationAddEthAddressBody = Static<typeof HubVerificationAddEthAddressBody>;

export const HubVerificationRemoveBody = namedObject('HubVerificationRemoveBody', {
  address: Type.Union([Type.String({ pattern: '^0x[A-Za-z0-9]{40}$' }), Base58]),
});
export type HubVerificationRemoveBody = Static<typeof HubVerificationRemoveBody>;

/** The same claim in the form that hubs write since contracts and Solana addresses can be verified. */
const VerificationAddAddressBody = Type.Object({
  address: HubVerificationAddEthAddressBody.properties.address,
  claimSignature: Base64,
  blockHash: Type.String(),
  type: Type.Integer({ description: '0 account, 1 contract.' }),
  verificationType: Type.Integer({ description: 'The same as type, under the name that older hubs use.' }),
  chainId: Type.Integer(),
  protocol: Type.String(),
});

/** The contract names the body `verificationAddEthAddressBody`, hubs `verificationAddAddressBody`: both are written. */
export const HubMessageDataVerificationAdd = namedObject('HubMessageDataVerificationAdd', {
  ...HubMessageDataCommon.properties,
  verificationAddEthAddressBody: HubVerificationAddEthAddressBody,
  verificationAddAddressBody: Type.Optional(VerificationAddAddressBody),
});
export type HubMessageDataVerificationAdd = Static<typeof HubMessageDataVerificationAdd>;

export const HubMessageDataVerificationRemove = namedObject('HubMessageDataVerificationRemove', {
  ...HubMessageDataCommon.properties,
  verificationRemoveBody: HubVerificationRemoveBody,
});
export const HubVerification = namedObject('HubVerification', {
  ...HubMessageCommon.properties,
  data: Type.Object({ ...HubMessageDataVerificationAdd.properties, type: HubMessageType }),
});
export type HubVerification = Static<typeof HubVerification>;

export const HubVerificationsResponse = namedObject('HubVerificationsResponse', {
  messages: Type.Array(HubVerification),
  nextPageToken: Base64,
});
