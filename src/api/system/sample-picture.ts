import type { FastifyInstance } from 'fastify';
import { notFound } from '../../error.js';
import type { SamplePicture } from '../http/service.js';

/** An SVG opened directly is a document of this origin, so it must not load or run anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the pictures of the sample network under `/sample`, without an API key. Each is drawn on request. */
export const registerSamplePictures = (fastify: FastifyInstance, draw: SamplePicture): void => {
  fastify.get<{ Params: { kind: string; file: string } }>('/sample/:kind/:file', (request, reply) => {
    const { kind, file } = request.params;
    const picture = file.endsWith('.svg') ? draw(kind, file.slice(0, -'.svg'.length)) : undefined;
    if (picture === undefined) throw notFound('There is no such picture in the sample network.');
    return reply
      .header('content-type', 'image/svg+xml; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'public, max-age=86400')
      .send(picture);
  });
};
