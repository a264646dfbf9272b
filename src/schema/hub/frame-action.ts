import Type from 'typebox';
import { named } from '../named.js';
import { HubCastId } from './cast.js';
import { HubMessageDataCommon } from './message-common.js';

export const HubFrameActionBody = named(
  'HubFrameActionBody',
  Type.Object({
    url: Type.String({ format: 'uri' }),
    buttonIndex: Type.Integer({ format: 'int32', minimum: 1, maximum: 4 }),
    castId: HubCastId,
  }),
);
export const HubMessageDataFrameAction = named(
  'HubMessageDataFrameAction',
  Type.Object({ ...HubMessageDataCommon.properties, frameActionBody: HubFrameActionBody }),
);
