import Type from 'typebox';
import { namedObject } from '../named.js';

/** Own extensions of the interface: events as they happen, over one connection. */
export const StreamText = Type.String({
  description:
    'Server-Sent Events. Each has an `id`, and as `data` the JSON that webhooks send, with the member `id` besides. The ' +
    'last one of a stream that the service ends has the type `end` and says why. As a WebSocket, each message is that JSON.',
});

export const StreamTicketResponse = namedObject('StreamTicketResponse', {
  ticket: Type.String({ description: 'Opens one stream, as `ticket` in its query. It is shown this once.' }),
  expires_at: Type.String({ format: 'date-time', description: 'The stream must be opened before.' }),
});
