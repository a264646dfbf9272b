import Type from 'typebox';
import { namedObject } from '../named.js';
import { HubMessage } from './message.js';

/** Why one message of several was refused. */
export const HubMessageError = namedObject('HubMessageError', {
  hash: Type.String({ pattern: '^0x[0-9a-f]*$', description: 'Of the message; 0x if it cannot be read.' }),
  errCode: Type.String({ description: 'The error code of hubs, such as `bad_request.validation_failure`.' }),
  message: Type.String(),
});

export const HubBulkMessagesResponse = namedObject('HubBulkMessagesResponse', {
  messages: Type.Array(Type.Union([HubMessage, HubMessageError]), {
    description: 'For each message of the request, in its order, the message that is stored now, or why it is not.',
  }),
});
