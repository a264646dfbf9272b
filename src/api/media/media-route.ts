import type { FastifyInstance } from 'fastify';
import { notFound } from '../../error.js';
import { selectMedia } from '../../store/media/media.js';
import { createGuard } from '../http/access-control.js';
import type { Services } from '../http/service.js';
import { MEDIA_EXTENSIONS, MEDIA_ID, MEDIA_PATH } from './media-url.js';

/** A file that is opened directly is a document of this origin, so it must not load or run anything. */
const POLICY = "default-src 'none'; sandbox";

/** Serves stored files without an API key. They never change, so clients and proxies may store them for a year. */
export const registerMedia = (fastify: FastifyInstance, services: Services): void => {
  const onRequest = createGuard(
    { id: 'media', family: 'v2', errors: [404], scope: 'public', limitsAddresses: true },
    services,
  );
  fastify.get<{ Params: { file: string } }>(`${MEDIA_PATH}/:file`, { onRequest }, async ({ params }, reply) => {
    const [id = '', extension] = params.file.split('.');
    const media = MEDIA_ID.test(id) ? await selectMedia(services.db, id) : undefined;
    if (media === undefined || MEDIA_EXTENSIONS[media.contentType] !== extension)
      throw notFound('There is no file at this address.');
    return reply
      .header('content-type', media.contentType)
      .header('content-security-policy', POLICY)
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(media.bytes);
  });
};
