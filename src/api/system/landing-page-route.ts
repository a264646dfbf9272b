import type { FastifyInstance } from 'fastify';
import { hasConsoleCookie } from '../../access/console-session.js';
import { VERSION } from '../../version.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { ReadinessCheck } from '../http/service.js';
import { pagePolicy, pageSender, STATIC_CACHE } from '../web-page/page-reply.js';
import { LANDING_STYLE, type WelcomePageData, welcomePage } from './landing-page.js';
import { STARTING_POLICY, startingPage, startingScript } from './starting-page.js';

const POLICY = pagePolicy(["style-src 'self'", "img-src 'self' data:"]);
const sendStyle = pageSender({});
const sendStarting = pageSender({ 'content-security-policy': STARTING_POLICY });

/**
 * Serves `/` without an API key: a page for browsers, the same links as JSON for programs. A browser that is signed in goes
 * to the console; one that comes while a development service starts sees how far it is.
 * @param startup the check that fails until then
 */
export const registerWelcome = (
  fastify: FastifyInstance,
  facts: WelcomePageData,
  startup: ReadinessCheck | undefined,
): void => {
  const { publicUrl, base } = facts;
  const page = welcomePage(facts);
  const json = JSON.stringify({
    name: 'castellan',
    version: VERSION,
    console: `${publicUrl}/console/`,
    guides: `${publicUrl}/guides`,
    reference: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    health: `${publicUrl}/health/ready`,
  });
  fastify.get('/start.css', (_, reply) => sendStyle(reply, 'text/css; charset=utf-8', LANDING_STYLE, STATIC_CACHE));
  if (startup)
    fastify.get('/starting.js', (_, reply) => sendStyle(reply, 'text/javascript; charset=utf-8', startingScript(base)));
  fastify.get('/', async (request, reply) => {
    const isBrowser = request.headers.accept?.includes('text/html') ?? false;
    const problem = isBrowser ? await startup?.check() : undefined;
    if (problem !== undefined) return sendStarting(reply, 'text/html; charset=utf-8', startingPage(base, problem));
    if (isBrowser && hasConsoleCookie(request.headers))
      return reply.header('cache-control', 'no-store').redirect(`${base}/console/`);
    reply.header('vary', 'accept, cookie').header('cache-control', STATIC_CACHE);
    if (!isBrowser) return reply.header('content-type', JSON_TYPE).send(json);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(page);
  });
};
