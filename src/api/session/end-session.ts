import { consoleTokenOf, endConsoleSession, sessionCookie } from '../../access/console-session.js';
import { EndSessionResponse } from '../../schema/portal/session.js';
import { HandlerResponse, operation } from '../http/operation.js';
import { cookieHeaders } from './cookie-header.js';

export const endSession = operation({
  id: 'end-session',
  method: 'DELETE',
  path: '/portal/session',
  tags: ['portal'],
  title: 'Sign out of the console',
  summary: 'End the session of the console, here and at once.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  headers: cookieHeaders,
  response: EndSessionResponse,
  errors: [400],
  handle: async ({ headers }, { db, publicUrl }) => {
    const token = consoleTokenOf(headers);
    if (token !== undefined) await endConsoleSession(db, token);
    return new HandlerResponse(200, { success: true }, { 'set-cookie': sessionCookie(undefined, publicUrl) });
  },
});
