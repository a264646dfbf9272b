import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubFid, HubMessageType } from './scalar.js';

export const HubLinkType = named('HubLinkType', stringEnum(['follow', 'block'], { default: 'follow' }));

/** The protocol accepts any text of up to 8 bytes as the type of a link. */
export const OtherLinkType = Type.String({ minLength: 1, maxLength: 8, description: 'Any other word.' });

export const HubLinkBody = namedObject('HubLinkBody', {
  type: Type.Union([HubLinkType, OtherLinkType]),
  displayTimestamp: Type.Optional(
    Type.Integer({ format: 'int64', description: 'Original time kept when the message time is rewritten.' }),
  ),
  targetFid: HubFid,
});
export type HubLinkBody = Static<typeof HubLinkBody>;

export const HubMessageDataLink = namedObject('HubMessageDataLink', {
  ...HubMessageDataCommon.properties,
  linkBody: HubLinkBody,
});
export const HubLinkAdd = namedObject('HubLinkAdd', {
  ...HubMessageCommon.properties,
  data: Type.Object({ ...HubMessageDataLink.properties, type: HubMessageType }),
});
export type HubLinkAdd = Static<typeof HubLinkAdd>;

export const HubLinksResponse = namedObject('HubLinksResponse', {
  ...HubPaginationResponse.properties,
  messages: Type.Array(HubLinkAdd),
});
