import type { FastifyInstance } from 'fastify';
import { notFound } from '../../error.js';
import type { SampleFiles } from '../http/service.js';

/** A picture or article that is opened directly is a document of this origin, so it must not run anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox";

/** Serves the files of the sample network under `/sample`, without an API key. Each is rendered on request. */
export const registerSampleFiles = (fastify: FastifyInstance, render: SampleFiles): void => {
  fastify.get<{ Params: { kind: string; file: string } }>('/sample/:kind/:file', (request, reply) => {
    const { kind, file } = request.params;
    const found = render(kind, file);
    if (found === undefined) throw notFound('There is no such file in the sample network.');
    return reply
      .header('content-type', found.type)
      .header('content-security-policy', POLICY)
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'public, max-age=86400')
      .send(found.body);
  });
};
