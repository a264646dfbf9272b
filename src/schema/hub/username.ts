import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { HubMessageDataCommon } from './message-common.js';
import { HubFid } from './scalar.js';

export const HubUserNameType = named(
  'HubUserNameType',
  stringEnum(['USERNAME_TYPE_FNAME', 'USERNAME_TYPE_ENS_L1', 'USERNAME_TYPE_BASENAME'], {
    default: 'USERNAME_TYPE_FNAME',
  }),
);

/** A name service that was added to the protocol later is named by its number. */
const OtherUserNameType = Type.String({
  pattern: '^USERNAME_TYPE_[0-9]+$',
  description: 'A name service that this version has no name for, by its number.',
});

export const HubUserNameProof = namedObject('HubUserNameProof', {
  timestamp: Type.Integer({ format: 'uint64', description: 'Unix seconds.' }),
  name: Type.String(),
  owner: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  signature: Base64,
  fid: HubFid,
  type: Type.Union([HubUserNameType, OtherUserNameType]),
});
export type HubUserNameProof = Static<typeof HubUserNameProof>;

export const HubMessageDataUsernameProof = namedObject('HubMessageDataUsernameProof', {
  ...HubMessageDataCommon.properties,
  usernameProofBody: HubUserNameProof,
});
export const HubUsernameProofsResponse = namedObject('HubUsernameProofsResponse', {
  proofs: Type.Array(HubUserNameProof),
});
