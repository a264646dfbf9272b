import { beginConsoleSession, redeemConsoleLink, sessionCookie } from '../../access/console-session.js';
import { invalidField } from '../../error.js';
import { ConsoleSessionResponse, CreateSessionReqBody } from '../../schema/portal/session.js';
import { HandlerResponse, operation } from '../http/operation.js';
import { viewSession } from './view-session.js';

export const createSession = operation({
  id: 'create-session',
  method: 'POST',
  path: '/portal/session',
  tags: ['portal'],
  title: 'Sign in to the console',
  summary: 'Exchange an API key, or the link that a development service prints, for a session cookie of the console.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  body: CreateSessionReqBody,
  bodyExample: { api_key: 'cst_...' },
  bodyExampleNote: 'Put in one of your keys.',
  response: ConsoleSessionResponse,
  errors: [400, 401],
  handle: async ({ body }, services) => {
    const { db, authenticator, clock, publicUrl } = services;
    const { api_key: key, link } = body;
    if ((key === undefined) === (link === undefined))
      throw invalidField('api_key', 'Send either api_key or link: an API key, or the link of a development service.');
    const now = clock();
    const caller =
      link === undefined
        ? await authenticator.authenticate(key?.trim())
        : await redeemConsoleLink({ db, authenticate: authenticator.authenticateHash }, link, now);
    const { token, ...session } = await beginConsoleSession(db, caller, now);
    const response = { session: await viewSession(services, session) };
    return new HandlerResponse(200, response, { 'set-cookie': sessionCookie(token, publicUrl) });
  },
});
