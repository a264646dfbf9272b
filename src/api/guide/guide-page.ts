import { escapeHtml, htmlPage } from '../web-page/html-page.js';
import type { DocPage } from './doc-page.js';
import type { PageGroup } from './page-list.js';
import type { RenderedPage } from './render-markdown.js';
import { type Hit, MAX_QUERY_LENGTH, type SearchResult } from './search.js';

/** A page with fewer headings needs no table of contents. */
const MIN_CONTENTS = 4;

const marked = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const searchForm = (base: string, query = ''): string => `<form class="find" action="${base}/guides" role="search">
          <label for="q">Search guides and reference</label>
          <input id="q" name="q" type="search" maxlength="${MAX_QUERY_LENGTH}" value="${escapeHtml(query)}" placeholder="Search guides and reference">
          <button class="first">Search</button>
        </form>`;

const frame = (base: string, title: string, body: string, isListed: boolean): string =>
  htmlPage({
    title: `${escapeHtml(title)} · Castellan`,
    base,
    isWide: true,
    isListed,
    styles: ['/guides.css'],
    body: `        ${body}`,
  });

const titleIn = ({ title }: DocPage): string =>
  title.replace(/^Guide: /, '').replace(/^./, (first) => first.toUpperCase());

/** @param pages all pages by name; those of no group are the records of decisions */
export const guideIndexPage = (
  base: string,
  groups: readonly PageGroup[],
  pages: ReadonlyMap<string, DocPage>,
): string => {
  const href = ({ name }: DocPage): string => `${base}/guides/${name}`;
  const listed = (names: readonly string[]): DocPage[] => names.flatMap((name) => pages.get(name) ?? []);
  const [first, ...others] = groups;
  const cards = listed(first?.names ?? []).map(
    (page) => `<a href="${href(page)}"><strong>${marked(titleIn(page))}</strong><span>${marked(page.about)}</span></a>`,
  );
  const list = (items: readonly DocPage[]): string =>
    items
      .map((page) => `<li><a href="${href(page)}">${marked(page.title)}</a><span>${marked(page.about)}</span></li>`)
      .join('\n            ');
  const sections = others.map(
    ({ title, names }) => `<section>
          <h2>${escapeHtml(title)}</h2>
          <ul class="pages">
            ${list(listed(names))}
          </ul>
        </section>`,
  );
  const decisions = [...pages.values()].filter(({ name }) => name.includes('/'));
  return frame(
    base,
    'Guides',
    `${searchForm(base)}
        <h1>Guides</h1>
        <p class="soft">Four ways in, with code to paste. Tests run it.</p>
        <nav class="cards" aria-label="Guides">
          ${cards.join('\n          ')}
        </nav>
        ${sections.join('\n        ')}
        <details>
          <summary>Decisions: why it is built this way (${decisions.length})</summary>
          <ul class="pages">
            ${decisions.map((page) => `<li><a href="${href(page)}">${marked(page.title)}</a></li>`).join('\n            ')}
          </ul>
        </details>
        <p class="soft">For programs: <a href="${base}/openapi.json">openapi.json</a>, <a href="${base}/llms.txt">llms.txt</a>, and each page as Markdown. To try requests: the <a href="${base}/docs">reference</a>.</p>`,
    true,
  );
};

const hitItem = (base: string, { section: { page, heading, anchor }, excerpt }: Hit): string => {
  const where = heading === page.title ? '' : ` <span class="soft">in ${escapeHtml(page.title)}</span>`;
  const text = excerpt.map((part, index) => (index % 2 === 0 ? escapeHtml(part) : `<mark>${escapeHtml(part)}</mark>`));
  return `<li><a href="${base}/guides/${page.name}#${anchor}">${escapeHtml(heading)}</a>${where}<p>${text.join('')}</p></li>`;
};

/** @param query what was searched for, as it came */
export const searchPage = (base: string, query: string, { hits, total }: SearchResult): string => {
  const count = total === 1 ? 'One section' : `${total} sections`;
  const shown = total > hits.length ? `; the best ${hits.length} are shown` : '';
  const words = `<q>${escapeHtml(query)}</q>`;
  const found =
    total === 0
      ? `<p>Nothing has all words of ${words}. Try fewer of them, or the <a href="${base}/guides">list of pages</a>.</p>`
      : `<p class="soft">${count} with ${words}${shown}.</p>
        <ul class="hits">
          ${hits.map((hit) => hitItem(base, hit)).join('\n          ')}
        </ul>`;
  return frame(
    base,
    'Search',
    `<nav class="crumbs" aria-label="Where you are"><a href="${base}/guides">Guides</a></nav>
        ${searchForm(base, query)}
        <h1>Search</h1>
        ${found}`,
    false,
  );
};

export const guidePage = (base: string, page: DocPage, { body, contents }: RenderedPage): string => {
  const entries = contents.map(({ anchor, title }) => `<li><a href="#${anchor}">${title}</a></li>`);
  const nav =
    entries.length < MIN_CONTENTS
      ? ''
      : `<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2><ul>${entries.join('')}</ul></nav>\n        `;
  // Records of decisions are not among the pages for programs.
  const source = page.name.includes('/') ? '' : ` · <a href="${base}/docs/${page.name}.md">This page as Markdown</a>`;
  return frame(
    base,
    page.title.replaceAll('`', ''),
    `<nav class="crumbs" aria-label="Where you are"><a href="${base}/guides">Guides</a></nav>
        ${searchForm(base)}
        ${nav}<article class="doc">
${body}        </article>
        <p class="soft"><a href="${base}/guides">All guides</a> · <a href="${base}/docs">Reference</a>${source}</p>`,
    true,
  );
};
