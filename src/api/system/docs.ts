import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { invalidField } from '../../error.js';
import { DIALECTS, type Dialect } from '../../schema/wire-names.js';
import { costRows } from '../cost/text.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { Operation } from '../http/operation.js';
import { buildDocument } from '../openapi/document.js';
import { readResponseExamples } from '../openapi/response-example.js';
import { pagePolicy, pageSender, STATIC_CACHE } from '../web-page/page-reply.js';
import { COST_STYLE, costPage } from './cost-page.js';
import { docsStart } from './docs-start.js';

/** The script of the API reference page. */
const PROGRAM_FILE = new URL('../../../dist/reference.js', import.meta.url);

/**
 * The page may load and call only this service. This blocks fonts, telemetry, request proxies and share links of the
 * package's vendor even if an option below is forgotten.
 */
const POLICY = pagePolicy([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
]);

const page = (base: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Castellan reference</title>
    <link rel="icon" href="${base}/favicon.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="app"></div>
    <script src="${base}/docs/reference.js"></script>
    <script src="${base}/docs/start.js"></script>
  </body>
</html>
`;

const sendPage = pageSender({ 'content-security-policy': POLICY });
const send = (reply: FastifyReply, type: string, body: string | Buffer): FastifyReply =>
  sendPage(reply, type, body, STATIC_CACHE);

type Page = (reply: FastifyReply, query: Record<string, unknown>) => FastifyReply | Promise<FastifyReply>;

/**
 * Serves the OpenAPI document and an API reference page that loads nothing from other servers.
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const registerDocs = (fastify: FastifyInstance, operations: readonly Operation[], base: string): void => {
  const text = 'text/javascript; charset=utf-8';
  const documents = new Map<Dialect, Promise<Buffer>>();
  const makeDocument = async (dialect: Dialect): Promise<Buffer> =>
    Buffer.from(JSON.stringify(buildDocument(operations, base || '/', dialect, await readResponseExamples())));
  /** @throws AppError 'invalid' for an unknown dialect */
  const documentOf = async (names: unknown): Promise<Buffer> => {
    const dialect = DIALECTS.find((one) => one === (names ?? 'neutral'));
    if (dialect === undefined) throw invalidField('names', `names must be one of ${DIALECTS.join(', ')}`);
    const made = documents.get(dialect) ?? makeDocument(dialect);
    documents.set(dialect, made);
    return made;
  };
  let program: Promise<Buffer> | undefined;
  const pages: Record<string, Page> = {
    '/docs': (reply) => send(reply, 'text/html; charset=utf-8', page(base)),
    '/docs/costs': (reply) => send(reply, 'text/html; charset=utf-8', costPage(costRows(operations), base)),
    '/docs/costs.css': (reply) => send(reply, 'text/css; charset=utf-8', COST_STYLE),
    '/docs/start.js': (reply) => send(reply, text, docsStart(base)),
    '/docs/reference.js': async (reply) => {
      program ??= readFile(PROGRAM_FILE);
      return send(reply, text, await program);
    },
    '/openapi.json': async (reply, query) => send(reply, JSON_TYPE, await documentOf(query.names)),
  };
  for (const [url, answer] of Object.entries(pages)) {
    fastify.get<{ Querystring: Record<string, unknown> }>(url, ({ query }, reply) => answer(reply, query));
  }
};
