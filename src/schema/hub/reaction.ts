import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { HubCastId } from './cast.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubMessageType } from './scalar.js';

export const HubReactionType = named('HubReactionType', stringEnum(['Like', 'Recast'], { default: 'Like' }));

export const HubReactionBody = namedObject(
  'HubReactionBody',
  { type: HubReactionType, targetCastId: Type.Optional(HubCastId), targetUrl: Type.Optional(Type.String()) },
  { description: 'Carries either targetCastId or targetUrl.' },
);
export const HubMessageDataReaction = namedObject('HubMessageDataReaction', {
  ...HubMessageDataCommon.properties,
  reactionBody: HubReactionBody,
});
export const HubReaction = namedObject('HubReaction', {
  ...HubMessageCommon.properties,
  data: Type.Object({ ...HubMessageDataReaction.properties, type: HubMessageType }),
});
export type HubReaction = Static<typeof HubReaction>;

export const HubReactionsResponse = namedObject('HubReactionsResponse', {
  ...HubPaginationResponse.properties,
  messages: Type.Array(HubReaction),
});
