import Type from 'typebox';
import { namedObject } from '../named.js';
import { HubCastId } from './cast.js';
import { HubMessageDataCommon } from './message-common.js';

export const HubFrameActionBody = namedObject('HubFrameActionBody', {
  url: Type.String({ format: 'uri' }),
  buttonIndex: Type.Integer({ format: 'int32', minimum: 1, maximum: 4 }),
  castId: HubCastId,
});
export const HubMessageDataFrameAction = namedObject('HubMessageDataFrameAction', {
  ...HubMessageDataCommon.properties,
  frameActionBody: HubFrameActionBody,
});
