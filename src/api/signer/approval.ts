import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from '../../error.js';
import { userByFid } from '../../hydrate/user.js';
import { selectApproval } from '../../store/access/signed-key-request.js';
import { createGuard } from '../http/access-control.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { Services } from '../service.js';
import { approvalPage, approvalScript, approvalStyle } from './approval-page.js';
import { APPROVAL_PATH } from './approval-url.js';
import { viewApproval } from './view-approval.js';

/** What no token looks like is not asked for. */
const TOKEN = /^[\w-]{43}$/;

/** The page loads and calls nothing but this service, and stands in no frame: a click on it allows much. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The token in the address is all that the page asks for, so the address goes nowhere and is kept nowhere. */
const send = (reply: FastifyReply, type: string, body: string): FastifyReply =>
  reply
    .header('content-type', type)
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(body);

/**
 * Serves the pages where the holder of an account approves a key, and the same as JSON under `/request`. They take no
 * API key: the unguessable token is the credential (docs/decisions/0014-signers.md).
 *
 * @param base path under which a proxy shows the service ('' when it stands at the root).
 */
export const registerApproval = (fastify: FastifyInstance, services: Services, base: string): void => {
  const { db, reads, clock, approvesLocally } = services;
  // Who guesses tokens without a key must not make the database busy.
  const onRequest = createGuard(
    { id: 'approval', family: 'v2', errors: [404], scope: 'public', limitsAddresses: true },
    services,
  );
  const find = async (token: string) => {
    const row = TOKEN.test(token) ? await selectApproval(db, token) : undefined;
    if (row) return row;
    throw notFound('There is no request at this address. Ask the app for a new one.');
  };
  const text = (type: string): string => `${type}; charset=utf-8`;
  fastify.get(`${APPROVAL_PATH}/page.js`, (_request, reply) => send(reply, text('text/javascript'), approvalScript));
  fastify.get(`${APPROVAL_PATH}/page.css`, (_request, reply) => send(reply, text('text/css'), approvalStyle));
  fastify.get<{ Params: { token: string } }>(`${APPROVAL_PATH}/:token`, { onRequest }, async ({ params }, reply) => {
    await find(params.token);
    return send(reply, text('text/html'), approvalPage(base));
  });
  fastify.get<{ Params: { token: string } }>(
    `${APPROVAL_PATH}/:token/request`,
    { onRequest },
    async ({ params }, reply) => {
      const row = await find(params.token);
      const now = clock();
      const users = await reads.open().get(userByFid, [row.requestFid]);
      const profile = users.get(row.requestFid)?.row;
      const app = {
        fid: row.requestFid,
        ...(profile?.username ? { username: profile.username } : {}),
        ...(profile?.display_name ? { display_name: profile.display_name } : {}),
      };
      return send(reply, JSON_TYPE, JSON.stringify(await viewApproval(row, { now, app, approvesLocally })));
    },
  );
};
