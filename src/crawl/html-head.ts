import { Parser } from 'htmlparser2';

/** What a page says about itself in elements that describe it. */
export interface HtmlHead {
  /** A small document with only the `title`, `meta` and `link` elements of the page, in order. */
  readonly html: string;
  /** Contents of `meta` elements by name or property, in lower case; the first one counts. */
  readonly meta: ReadonlyMap<string, string>;
  /** The same with all elements, in order: Open Graph repeats names. */
  readonly properties: readonly (readonly [name: string, content: string])[];
  /** Address of the page's oEmbed description in JSON (oEmbed 1.0, "Discovery"), as written. */
  readonly oembed: string | undefined;
}

const MAX_ELEMENTS = 500;
/** Longest value of an attribute and longest title; more describes nothing. */
const MAX_TEXT = 4096;
/** Deeper elements describe nothing, and the time that the parser takes for each grows with its depth. */
const MAX_DEPTH = 256;
/** Characters between two checks of the depth. */
const CHUNK = 4096;

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPED[character] as string);

const markupOf = (name: string, attributes: Readonly<Record<string, string>>): string => {
  const written = Object.entries(attributes)
    .filter(([key, value]) => /^[a-z:_-]{1,40}$/.test(key) && value.length <= MAX_TEXT)
    .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  return `<${name}${written.join('')}>`;
};

/**
 * Reads a page as a stream of tags, in linear time. Building a tree of it would take minutes for a megabyte of nested
 * elements, so what builds one (open-graph-scraper) gets only the elements that describe the page.
 */
export const readHtmlHead = (page: string): HtmlHead => {
  const elements: string[] = [];
  const meta = new Map<string, string>();
  const properties: [string, string][] = [];
  let oembed: string | undefined;
  let title: string | undefined;
  let isInTitle = false;
  let depth = 0;
  const readMeta = (attributes: Readonly<Record<string, string>>): void => {
    const name = (attributes.property ?? attributes.name)?.toLowerCase();
    const content = attributes.content ?? attributes.value;
    if (name === undefined || content === undefined || content.length > MAX_TEXT) return;
    properties.push([name, content]);
    if (!meta.has(name)) meta.set(name, content);
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth++;
      // The title of a drawing (SVG) in the page comes later than that of the page.
      isInTitle = name === 'title' && title === undefined;
      if (isInTitle) title = '';
      if (name !== 'meta' && name !== 'link') return;
      if (name === 'meta') readMeta(attributes);
      else if (attributes.type?.toLowerCase() === 'application/json+oembed') oembed ??= attributes.href;
      elements.push(markupOf(name, attributes));
    },
    ontext: (text) => {
      if (isInTitle && (title as string).length < MAX_TEXT) title += text;
    },
    onclosetag: () => {
      depth--;
      isInTitle = false;
    },
  });
  for (let at = 0; at < page.length && depth < MAX_DEPTH && elements.length < MAX_ELEMENTS; at += CHUNK)
    parser.write(page.slice(at, at + CHUNK));
  const written = title === undefined ? '' : `<title>${escapeHtml(title.trim().slice(0, MAX_TEXT))}</title>`;
  const html = `<head>${written}${elements.slice(0, MAX_ELEMENTS).join('')}</head>`;
  return { html, meta, properties, oembed };
};
