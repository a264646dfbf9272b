import Type, { type Static } from 'typebox';
import { HubMessageCommon, HubMessageDataCommon } from './hub-message-common.js';
import { HubPaginationResponse } from './hub-page.js';
import { HubMessageType } from './hub-scalar.js';
import { named } from './named.js';

export const HubUserDataType = named(
  'HubUserDataType',
  Type.Enum(
    [
      'USER_DATA_TYPE_PFP',
      'USER_DATA_TYPE_DISPLAY',
      'USER_DATA_TYPE_BIO',
      'USER_DATA_TYPE_URL',
      'USER_DATA_TYPE_USERNAME',
    ],
    { type: 'string', default: 'USER_DATA_TYPE_PFP' },
  ),
);

/**
 * Kinds beyond the contract's five (location, banner, names on other platforms, primary addresses): hubs return
 * them too, and a raw list that left some out would not be raw.
 */
const OtherUserDataType = Type.String({
  pattern: '^USER_DATA_[A-Z0-9_]+$',
  description: 'A kind of profile entry that came later than the others.',
});

export const HubUserDataBody = named(
  'HubUserDataBody',
  Type.Object({ type: Type.Union([HubUserDataType, OtherUserDataType]), value: Type.String() }),
);
export type HubUserDataBody = Static<typeof HubUserDataBody>;

export const HubMessageDataUserDataAdd = named(
  'HubMessageDataUserDataAdd',
  Type.Object({ ...HubMessageDataCommon.properties, userDataBody: HubUserDataBody }),
);
export type HubMessageDataUserDataAdd = Static<typeof HubMessageDataUserDataAdd>;

export const HubUserDataAdd = named(
  'HubUserDataAdd',
  Type.Object({
    ...HubMessageCommon.properties,
    data: Type.Object({ ...HubMessageDataUserDataAdd.properties, type: HubMessageType }),
  }),
);
export type HubUserDataAdd = Static<typeof HubUserDataAdd>;

export const HubUserDataPageResponse = named(
  'HubUserDataPageResponse',
  Type.Object({ ...HubPaginationResponse.properties, messages: Type.Array(HubUserDataAdd) }),
);
