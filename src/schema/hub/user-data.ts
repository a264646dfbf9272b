import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubMessageType } from './scalar.js';

/**
 * The kinds of the protocol, with the names that hubs write in JSON: those of UserDataType in message.proto
 * (farcasterxyz/snapchain, proto/definitions/message.proto; the primary addresses have no `TYPE_` in their names).
 */
export const HubUserDataType = named(
  'HubUserDataType',
  stringEnum(
    [
      'USER_DATA_TYPE_PFP',
      'USER_DATA_TYPE_DISPLAY',
      'USER_DATA_TYPE_BIO',
      'USER_DATA_TYPE_URL',
      'USER_DATA_TYPE_USERNAME',
      'USER_DATA_TYPE_LOCATION',
      'USER_DATA_TYPE_TWITTER',
      'USER_DATA_TYPE_GITHUB',
      'USER_DATA_TYPE_BANNER',
      'USER_DATA_PRIMARY_ADDRESS_ETHEREUM',
      'USER_DATA_PRIMARY_ADDRESS_SOLANA',
      'USER_DATA_TYPE_PROFILE_TOKEN',
      'USER_DATA_TYPE_LIVE_AT',
    ],
    { default: 'USER_DATA_TYPE_PFP' },
  ),
);

/** A type that was added to the protocol later is named by its number. */
const OtherUserDataType = Type.String({
  pattern: '^USER_DATA_TYPE_[0-9]+$',
  description: 'A kind of profile entry that this version has no name for, by its number.',
});

export const HubUserDataBody = namedObject('HubUserDataBody', {
  type: Type.Union([HubUserDataType, OtherUserDataType]),
  value: Type.String(),
});
export type HubUserDataBody = Static<typeof HubUserDataBody>;

export const HubMessageDataUserDataAdd = namedObject('HubMessageDataUserDataAdd', {
  ...HubMessageDataCommon.properties,
  userDataBody: HubUserDataBody,
});
export const HubUserDataAdd = namedObject('HubUserDataAdd', {
  ...HubMessageCommon.properties,
  data: Type.Object({ ...HubMessageDataUserDataAdd.properties, type: HubMessageType }),
});
export type HubUserDataAdd = Static<typeof HubUserDataAdd>;

export const HubUserDataPageResponse = namedObject('HubUserDataPageResponse', {
  ...HubPaginationResponse.properties,
  messages: Type.Array(HubUserDataAdd),
});
