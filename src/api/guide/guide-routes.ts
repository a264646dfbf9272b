import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { invalidField, notFound } from '../../error.js';
import { createGuard } from '../http/access-control.js';
import type { Services } from '../http/service.js';
import { pagePolicy, pageSender, STATIC_CACHE } from '../web-page/page-reply.js';
import { type DocPage, readDocPages } from './doc-page.js';
import { guideIndexPage, guidePage, searchPage } from './guide-page.js';
import { GUIDE_STYLE } from './guide-style.js';
import { groupPages, type PageGroup } from './page-list.js';
import { type IndexedSection, indexSections, MAX_QUERY_LENGTH, searchSections } from './search.js';
import { splitSections } from './section.js';

const DOCS = new URL('../../../docs/', import.meta.url);

/** A page may load styles and the icon of this service, and send its form here. */
const POLICY = pagePolicy(["style-src 'self'", "img-src 'self' data:"], { forms: "'self'" });

const HTML = 'text/html; charset=utf-8';

const send = pageSender({ 'content-security-policy': POLICY });

/** The documentation in memory. */
interface Manual {
  readonly pages: ReadonlyMap<string, DocPage>;
  readonly groups: readonly PageGroup[];
  readonly sections: readonly IndexedSection[];
}

const readManual = async (): Promise<Manual> => {
  const pages = await readDocPages(DOCS);
  const groups = groupPages([...pages.keys()].filter((name) => !name.includes('/')));
  const sections: IndexedSection[] = [];
  for (const page of pages.values()) {
    sections.push(...indexSections(splitSections(page), groups));
    // Other requests have their turn between two pages.
    await setImmediate();
  }
  return { pages, groups, sections };
};

/** @throws AppError 'invalid' for a text that is too long, and for several */
const readQuery = (q: unknown): string => {
  if (typeof q !== 'string') throw invalidField('q', 'q must be one text.');
  if (q.length > MAX_QUERY_LENGTH) throw invalidField('q', `q must have at most ${MAX_QUERY_LENGTH} characters.`);
  return q.trim();
};

/**
 * Serves the documentation for people, without an API key: `/guides` lists its pages, `/guides?q=` searches them,
 * `/guides/<name>` is one. The files are read with the first request, and each page is rendered once.
 *
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const registerGuides = (fastify: FastifyInstance, services: Services, base: string): void => {
  // A search goes through all pages, so those of one address are limited.
  const onRequest = createGuard(
    { id: 'guides', family: 'v2', errors: [400], scope: 'public', limitsAddresses: true },
    services,
  );
  let reading: Promise<Manual> | undefined;
  const manual = (): Promise<Manual> => {
    reading ??= readManual();
    // What could not be read once is read again by the next request.
    reading.catch(() => {
      reading = undefined;
    });
    return reading;
  };
  const rendered = new Map<string, string>();
  const render = async (name: string): Promise<string> => {
    const known = rendered.get(name);
    if (known !== undefined) return known;
    const { pages } = await manual();
    const page = pages.get(name);
    if (page === undefined) throw notFound('There is no such page: /guides lists them.');
    // Loaded when it is needed: most processes never show a page.
    const { renderPage } = await import('./render-markdown.js');
    const html = guidePage(
      base,
      page,
      renderPage(page, (other) => pages.has(other), base),
    );
    rendered.set(name, html);
    return html;
  };

  fastify.get('/guides.css', (_, reply) => send(reply, 'text/css; charset=utf-8', GUIDE_STYLE, STATIC_CACHE));
  fastify.get<{ Querystring: { q?: unknown } }>('/guides', { onRequest }, async ({ query }, reply) => {
    const { pages, groups, sections } = await manual();
    const words = query.q === undefined ? '' : readQuery(query.q);
    if (words !== '') return send(reply, HTML, searchPage(base, words, searchSections(sections, words)));
    return send(reply, HTML, guideIndexPage(base, groups, pages), STATIC_CACHE);
  });
  fastify.get<{ Params: { name: string } }>('/guides/:name', async ({ params }, reply) =>
    send(reply, HTML, await render(params.name), STATIC_CACHE),
  );
  fastify.get<{ Params: { name: string } }>('/guides/decisions/:name', async ({ params }, reply) =>
    send(reply, HTML, await render(`decisions/${params.name}`), STATIC_CACHE),
  );
};
