import Type, { type Static } from 'typebox';
import { Base64 } from './base64.js';
import { HubMessageCommon, HubMessageDataCommon } from './hub-message-common.js';
import { HubMessageType } from './hub-scalar.js';
import { named } from './named.js';

export const HubVerificationAddEthAddressBody = named(
  'HubVerificationAddEthAddressBody',
  Type.Object({
    address: Type.String({ pattern: '^(?:0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$' }),
    ethSignature: Base64,
    blockHash: Type.String({ pattern: '^(0x[a-fA-F0-9]{64}|[1-9A-HJ-NP-Za-km-z]{44})$' }),
  }),
);
export type HubVerificationAddEthAddressBody = Static<typeof HubVerificationAddEthAddressBody>;

export const HubVerificationRemoveBody = named(
  'HubVerificationRemoveBody',
  Type.Object({ address: Type.String({ pattern: '^0x[A-Za-z0-9]{40}$' }) }),
);
export type HubVerificationRemoveBody = Static<typeof HubVerificationRemoveBody>;

export const HubMessageDataVerificationAdd = named(
  'HubMessageDataVerificationAdd',
  Type.Object({ ...HubMessageDataCommon.properties, verificationAddEthAddressBody: HubVerificationAddEthAddressBody }),
);
export type HubMessageDataVerificationAdd = Static<typeof HubMessageDataVerificationAdd>;

export const HubMessageDataVerificationRemove = named(
  'HubMessageDataVerificationRemove',
  Type.Object({ ...HubMessageDataCommon.properties, verificationRemoveBody: HubVerificationRemoveBody }),
);
export type HubMessageDataVerificationRemove = Static<typeof HubMessageDataVerificationRemove>;

export const HubVerification = named(
  'HubVerification',
  Type.Object({
    ...HubMessageCommon.properties,
    data: Type.Object({ ...HubMessageDataVerificationAdd.properties, type: HubMessageType }),
  }),
);
export type HubVerification = Static<typeof HubVerification>;

export const HubVerificationsResponse = named(
  'HubVerificationsResponse',
  Type.Object({ messages: Type.Array(HubVerification), nextPageToken: Base64 }),
);
