import type { FastifyInstance } from 'fastify';
import type { SampleMiniApps } from '../http/service.js';

/** The pages have one style sheet and pictures of their own host, and load nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'";

/** Answers requests to the hosts of the sample's mini apps, before any route of the service, without an API key. */
export const registerSampleMiniApps = (fastify: FastifyInstance, apps: SampleMiniApps): void => {
  fastify.addHook('onRequest', async (request, reply) => {
    const domain = (request.headers.host ?? '').toLowerCase();
    if (!apps.domains.has(domain)) return undefined;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const found = isRead ? await apps.answer(domain, request.url.split('?', 1)[0] as string) : undefined;
    if (found === undefined) {
      return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send('There is no such page.\n');
    }
    return reply
      .header('content-type', found.type)
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .send(found.body);
  });
};
