import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../version.js';
import { JSON_TYPE } from '../http/json-type.js';
import { pagePolicy } from '../page-reply.js';
import { WELCOME_STYLE, type WelcomePageData, welcomePage } from './landing-page.js';

/** The page has one style sheet, allowed by its hash, and pictures of this service. */
const POLICY = pagePolicy([
  `style-src 'sha256-${createHash('sha256').update(WELCOME_STYLE).digest('base64')}'`,
  "img-src 'self' data:",
]);

/** Serves `/` without an API key: a page for browsers, the same links as JSON for programs. */
export const registerWelcome = (fastify: FastifyInstance, facts: WelcomePageData): void => {
  const { publicUrl } = facts;
  const page = welcomePage(facts);
  const json = JSON.stringify({
    name: 'castellan',
    version: VERSION,
    reference: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    health: `${publicUrl}/health/ready`,
  });
  fastify.get('/', (request, reply) => {
    const isBrowser = request.headers.accept?.includes('text/html') ?? false;
    reply.header('vary', 'accept').header('cache-control', 'public, max-age=300');
    if (!isBrowser) return reply.header('content-type', JSON_TYPE).send(json);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(page);
  });
};
