import type { FastifyInstance } from 'fastify';
import { FAVICON } from './html-page.js';
import { pageSender, STATIC_CACHE } from './page-reply.js';
import { PAGE_STYLE } from './page-style.js';

/** Data and pages of one person's task are nothing to index; the first page and the documentation are. */
const ROBOTS = `User-agent: *
Disallow: /v1/
Disallow: /v2/
Disallow: /portal/
Disallow: /operator/
Disallow: /console/
Disallow: /approve/
Disallow: /pay/
Disallow: /siwf
`;

const send = pageSender({ 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" });

/** Serves what all pages share, and what browsers and search engines ask for by themselves. */
export const registerPageAssets = (fastify: FastifyInstance): void => {
  const assets: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/page.css': ['text/css; charset=utf-8', PAGE_STYLE],
    '/favicon.svg': ['image/svg+xml', FAVICON],
    '/favicon.ico': ['image/svg+xml', FAVICON],
    '/robots.txt': ['text/plain; charset=utf-8', ROBOTS],
  };
  for (const [path, [type, body]] of Object.entries(assets))
    fastify.get(path, (_, reply) => send(reply, type, body, STATIC_CACHE));
};
