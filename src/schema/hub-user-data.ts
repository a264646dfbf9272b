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

export const HubUserDataBody = named('HubUserDataBody', Type.Object({ type: HubUserDataType, value: Type.String() }));
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
