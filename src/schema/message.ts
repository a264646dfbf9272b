import { namedObject } from './named.js';

export const PublishMessageReqBody = namedObject('PublishMessageReqBody', {}, { additionalProperties: true });

export const PublishMessageResponse = namedObject('PublishMessageResponse', {}, { additionalProperties: true });
