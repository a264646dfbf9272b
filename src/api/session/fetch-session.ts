import { consoleTokenOf, findConsoleSession } from '../../access/console-session.js';
import { ConsoleSessionResponse } from '../../schema/portal/session.js';
import { operation } from '../http/operation.js';
import { cookieHeaders, noSession } from './cookie-header.js';
import { viewSession } from './view-session.js';

export const fetchSession = operation({
  id: 'fetch-session',
  path: '/portal/session',
  tags: ['portal'],
  title: 'Get who is signed in',
  summary: 'Read the session of the console: whose key it is, and what it may do.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  headers: cookieHeaders,
  response: ConsoleSessionResponse,
  errors: [400, 401],
  handle: async ({ headers }, services) => {
    const { db, authenticator, clock } = services;
    const token = consoleTokenOf(headers);
    if (token === undefined) throw noSession();
    const found = await findConsoleSession({ db, authenticate: authenticator.authenticateHash }, token, clock());
    return { session: await viewSession(services, found) };
  },
});
