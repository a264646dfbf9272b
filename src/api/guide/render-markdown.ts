import { lexer, Parser, Renderer, type Tokens } from 'marked';
import { escapeHtml } from '../web-page/html-page.js';
import type { DocPage } from './doc-page.js';
import { Anchors } from './section.js';

/** A heading in the table of contents. */
export interface ContentsEntry {
  readonly anchor: string;
  /** HTML without links. */
  readonly title: string;
}

export interface RenderedPage {
  /** HTML, with one h1. */
  readonly body: string;
  /** Headings of the second level, in order. */
  readonly contents: readonly ContentsEntry[];
}

/** @returns where a link of a page leads, or undefined for a file that is not served */
type LinkTarget = (href: string) => string | undefined;

const withoutAnchors = (html: string): string => html.replaceAll(/<\/?a\b[^>]*>/g, '');

class PageRenderer extends Renderer {
  readonly contents: ContentsEntry[] = [];
  readonly #anchors = new Anchors();
  readonly #target: LinkTarget;
  /** Levels by which headings after the first are lowered: a page with several titles becomes one with one. */
  readonly #lowered: number;
  #isFirst = true;

  constructor(target: LinkTarget, lowered: number) {
    super();
    this.#target = target;
    this.#lowered = lowered;
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    const anchor = this.#anchors.next(text);
    const html = this.parser.parseInline(tokens);
    const title = withoutAnchors(html);
    const level = Math.min(6, this.#isFirst ? depth : depth + this.#lowered);
    if (level === 2) this.contents.push({ anchor, title });
    this.#isFirst = false;
    if (level === 1) return `<h1 id="${anchor}">${title}</h1>\n`;
    const shown = html === title ? `<a href="#${anchor}">${title}</a>` : html;
    return `<h${level} id="${anchor}">${shown}</h${level}>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const text = this.parser.parseInline(tokens);
    const target = this.#target(href);
    if (target === undefined) return text;
    const isForeign = /^[a-z]+:/i.test(target);
    return `<a href="${escapeHtml(target)}"${isForeign ? ' rel="noreferrer"' : ''}>${text}</a>`;
  }

  /** The pages load no pictures, which stand in the README alone. */
  override image({ text }: Tokens.Image): string {
    return escapeHtml(text);
  }

  override code({ text, lang = '' }: Tokens.Code): string {
    const label = lang.split(' ')[1] === 'answer' ? '<p class="label">The response has:</p>\n' : '';
    return `${label}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
  }

  override table(token: Tokens.Table): string {
    // As with code: a keyboard can scroll it where it is wider than the screen.
    return `<div class="table" role="group" aria-label="Table" tabindex="0">${super.table(token)}</div>\n`;
  }

  /** Tables break lines with an element; anything else in angle brackets is text. */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return /^<br\s*\/?>$/.test(text.trim()) ? '<br>' : escapeHtml(text);
  }
}

/** Of the files, so that relative links can be resolved; nothing is asked there. */
const ROOT = 'file:///docs/';

const linkTarget =
  (page: DocPage, isPage: (name: string) => boolean, base: string): LinkTarget =>
  (href) => {
    if (/^(https?:\/\/|#)/.test(href)) return href;
    if (!URL.canParse(href, `${ROOT}${page.name}`)) return undefined;
    const { protocol, pathname, hash } = new URL(href, `${ROOT}${page.name}`);
    const name = /^\/docs\/(.*)\.md$/.exec(pathname)?.[1];
    if (protocol !== 'file:' || name === undefined || !isPage(name)) return undefined;
    return `${base}/guides/${name}${hash}`;
  };

/**
 * @param isPage whether there is a page of that name; links to other files become text
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const renderPage = (page: DocPage, isPage: (name: string) => boolean, base: string): RenderedPage => {
  const tokens = lexer(page.text);
  const titles = tokens.filter((token) => token.type === 'heading' && token.depth === 1);
  const renderer = new PageRenderer(linkTarget(page, isPage, base), titles.length > 1 ? 1 : 0);
  const body = Parser.parse(tokens, { renderer });
  return { body, contents: renderer.contents };
};
