import Type, { type Static } from 'typebox';
import { HubCastId } from './cast.js';
import { HubMessageDataCommon } from './message-common.js';
import { named } from '../named.js';

export const HubFrameActionBody = named(
  'HubFrameActionBody',
  Type.Object({
    url: Type.String({ format: 'uri' }),
    buttonIndex: Type.Integer({ format: 'int32', minimum: 1, maximum: 4 }),
    castId: HubCastId,
  }),
);
export type HubFrameActionBody = Static<typeof HubFrameActionBody>;

export const HubMessageDataFrameAction = named(
  'HubMessageDataFrameAction',
  Type.Object({ ...HubMessageDataCommon.properties, frameActionBody: HubFrameActionBody }),
);
export type HubMessageDataFrameAction = Static<typeof HubMessageDataFrameAction>;
