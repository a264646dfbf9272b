import Type from 'typebox';
import { named } from './named.js';

export const PublishMessageReqBody = named('PublishMessageReqBody', Type.Object({}, { additionalProperties: true }));

export const PublishMessageResponse = named('PublishMessageResponse', Type.Object({}, { additionalProperties: true }));
