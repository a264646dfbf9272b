import Type, { type Static } from 'typebox';
import { named } from '../named.js';
import { HubCastId } from './cast.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubMessageType } from './scalar.js';

export const HubReactionType = named(
  'HubReactionType',
  Type.Enum(['Like', 'Recast'], { type: 'string', default: 'Like' }),
);

export const HubReactionBody = named(
  'HubReactionBody',
  Type.Object(
    { type: HubReactionType, targetCastId: Type.Optional(HubCastId), targetUrl: Type.Optional(Type.String()) },
    { description: 'Carries either targetCastId or targetUrl.' },
  ),
);
export const HubMessageDataReaction = named(
  'HubMessageDataReaction',
  Type.Object({ ...HubMessageDataCommon.properties, reactionBody: HubReactionBody }),
);
export const HubReaction = named(
  'HubReaction',
  Type.Object({
    ...HubMessageCommon.properties,
    data: Type.Object({ ...HubMessageDataReaction.properties, type: HubMessageType }),
  }),
);
export type HubReaction = Static<typeof HubReaction>;

export const HubReactionsResponse = named(
  'HubReactionsResponse',
  Type.Object({ ...HubPaginationResponse.properties, messages: Type.Array(HubReaction) }),
);
