import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../error.js';
import { pageSender, STATIC_CACHE } from '../web-page/page-reply.js';

const DOCS = new URL('../../../docs/', import.meta.url);

/** A page of the documentation; no other file of its folder is read. */
const PAGE = /^[a-z0-9-]{1,60}\.md$/;

const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

const sendPage = pageSender({ 'content-security-policy': "default-src 'none'" });

/**
 * Serves the documentation as it is in the package, for programs and language models: `/llms.txt` lists the pages
 * (llmstxt.org), `/llms-full.txt` has all of them, `/docs/<name>.md` is one.
 */
export const registerDocPages = (fastify: FastifyInstance): void => {
  const read = async (file: string): Promise<Buffer> => {
    try {
      return await readFile(new URL(file, DOCS));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw notFound('There is no such page. /llms.txt lists them.');
    }
  };
  for (const file of ['llms.txt', 'llms-full.txt'])
    fastify.get(`/${file}`, async (_request, reply) => sendPage(reply, TEXT, await read(file), STATIC_CACHE));
  fastify.get<{ Params: { page: string } }>('/docs/:page', async ({ params: { page } }, reply) => {
    if (!PAGE.test(page)) throw notFound('There is no such page. /llms.txt lists them.');
    return sendPage(reply, MARKDOWN, await read(page), STATIC_CACHE);
  });
};
