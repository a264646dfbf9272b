import { createStreamTicket as create } from '../../access/stream-ticket.js';
import { StreamTicketResponse } from '../../schema/event/stream.js';
import { operation } from '../http/operation.js';

export const createStreamTicket = operation({
  id: 'create-stream-ticket',
  method: 'POST',
  path: '/v2/social/stream/ticket/',
  tags: ['Stream'],
  title: 'Get a ticket for a stream',
  summary: 'Own extension: get a ticket that opens one stream within 60 seconds, for browsers.',
  cost: { fixed: 10 },
  needsApp: true,
  scope: 'read',
  response: StreamTicketResponse,
  handle: async ({ caller }, { db, clock }) => {
    const { ticket, expiresAt } = await create(db, caller.keyId, clock());
    return { ticket, expires_at: expiresAt.toISOString() };
  },
});
