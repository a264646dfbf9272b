import Type, { type Static } from 'typebox';
import { named } from '../named.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubFid, HubMessageType } from './scalar.js';

export const HubLinkType = named('HubLinkType', Type.Enum(['follow', 'block'], { type: 'string', default: 'follow' }));

/** The protocol accepts any text of up to 8 bytes as the type of a link. */
const OtherLinkType = Type.String({ minLength: 1, maxLength: 8, description: 'Any other word.' });

export const HubLinkBody = named(
  'HubLinkBody',
  Type.Object({
    type: Type.Union([HubLinkType, OtherLinkType]),
    displayTimestamp: Type.Optional(
      Type.Integer({ format: 'int64', description: 'Original time kept when the message time is rewritten.' }),
    ),
    targetFid: HubFid,
  }),
);
export type HubLinkBody = Static<typeof HubLinkBody>;

export const HubMessageDataLink = named(
  'HubMessageDataLink',
  Type.Object({ ...HubMessageDataCommon.properties, linkBody: HubLinkBody }),
);
export const HubLinkAdd = named(
  'HubLinkAdd',
  Type.Object({
    ...HubMessageCommon.properties,
    data: Type.Object({ ...HubMessageDataLink.properties, type: HubMessageType }),
  }),
);
export type HubLinkAdd = Static<typeof HubLinkAdd>;

export const HubLinksResponse = named(
  'HubLinksResponse',
  Type.Object({ ...HubPaginationResponse.properties, messages: Type.Array(HubLinkAdd) }),
);
