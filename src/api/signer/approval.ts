import type { FastifyInstance } from 'fastify';
import { isSponsored, prepareConsent, readOwner, sponsorKey } from '../../account/key-sponsor.js';
import { invalidField, notFound } from '../../error.js';
import { userByFid } from '../../hydrate/user.js';
import { selectApproval } from '../../store/access/signed-key-request.js';
import { createGuard } from '../http/access-control.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { Services } from '../http/service.js';
import { pagePolicy, pageSender } from '../web-page/page-reply.js';
import { approvalPage, approvalScript, approvalStyle } from './approval-page.js';
import { APPROVAL_PATH, approvalUrl } from './approval-url.js';
import { viewApproval } from './view-approval.js';

/** Other texts are rejected without a database lookup. */
const TOKEN = /^[\w-]{43}$/;

/** Of a key, or of a contract wallet. */
const SIGNATURE = /^0x([0-9a-fA-F]{2}){65,8192}$/;

/** The page may load only from this service, and no frame may show it, because a click on it grants write access. */
const POLICY = pagePolicy(["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"]);

/** The token in the URL is the only credential, so the URL must not be sent as a referrer or cached. */
const send = pageSender({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });

/**
 * Serves the pages where the holder of an account approves a key, and the same data as JSON under `/request`. They need
 * no API key: the unguessable token is the credential (docs/decisions/0014-signers.md).
 *
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const registerApproval = (fastify: FastifyInstance, services: Services, base: string): void => {
  const { db, reads, clock, approvesLocally, publicUrl, accounts, wallets } = services;
  const sponsoring = { ...accounts, wallets };
  // Limits clients without a key that guess tokens, so that they do not overload the database.
  const onRequest = createGuard(
    { id: 'approval', family: 'v2', errors: [404], scope: 'public', limitsAddresses: true },
    services,
  );
  // It asks the chain.
  const onConsent = createGuard(
    {
      ...{ id: 'approval-consent', family: 'v2', errors: [400, 404, 409] },
      ...{ scope: 'public', limitsAddresses: true, waitsOutside: true },
    },
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
    return send(reply, text('text/html'), approvalPage(base, approvalUrl(publicUrl, params.token)));
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
        ...(profile?.displayName ? { display_name: profile.displayName } : {}),
      };
      return send(
        reply,
        JSON_TYPE,
        JSON.stringify(
          await viewApproval(row, { now, app, approvesLocally, isSponsored: isSponsored(sponsoring, row) }),
        ),
      );
    },
  );
  fastify.get<{ Params: { token: string }; Querystring: { owner?: unknown } }>(
    `${APPROVAL_PATH}/:token/consent`,
    { onRequest: onConsent },
    async ({ params, query }, reply) => {
      const consent = await prepareConsent(sponsoring, await find(params.token), await readOwner(query.owner));
      return send(reply, JSON_TYPE, JSON.stringify({ deadline: consent.deadline, typed_data: consent.typedData }));
    },
  );
  fastify.post<{ Params: { token: string } }>(
    `${APPROVAL_PATH}/:token/consent`,
    { onRequest: onConsent },
    async ({ params, body }, reply) => {
      const row = await find(params.token);
      const { owner, deadline, signature } = (body ?? {}) as Readonly<Record<string, unknown>>;
      if (!Number.isSafeInteger(deadline)) throw invalidField('deadline', 'deadline must be that of the consent');
      if (typeof signature !== 'string' || !SIGNATURE.test(signature))
        throw invalidField('signature', 'signature must be an Ethereum signature: 0x and 130 hex digits');
      const { hash, isMined } = await sponsorKey(sponsoring, row, {
        owner: await readOwner(owner),
        deadline: deadline as number,
        signature: signature as `0x${string}`,
      });
      return send(reply, JSON_TYPE, JSON.stringify({ transaction_hash: hash, is_mined: isMined }));
    },
  );
};
