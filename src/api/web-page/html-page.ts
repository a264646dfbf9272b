/** A castle with a gate, as in the console and the tab of the browser. */
const CASTLE = '<path d="M10 10h10v7h7v-7h10v7h7v-7h10v18l-5 5v21H15V33l-5-5Z"/>';
const GATE = '<path class="gate" d="M26 54V43a6 6 0 0 1 12 0v11Z"/>';
export const LOGO = `<svg viewBox="0 0 64 64" aria-hidden="true">${CASTLE}${GATE}</svg>`;

/** The same with colours of its own, because a tab has no style sheet. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>.gate{fill:#fff}</style><g fill="#6f55e8">${CASTLE}</g>${GATE}</svg>`;

/** @returns the text for an element or an attribute */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** What differs between pages. All texts are HTML. */
export interface PageParts {
  readonly title: string;
  /** Path prefix of the service behind a proxy; '' at the root. */
  readonly base: string;
  readonly body: string;
  /** Further elements of the head. */
  readonly head?: string;
  /** Further style sheets and scripts of this service, as paths with the prefix. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Whether the page is for reading, not for one task. */
  readonly isWide?: boolean;
  /** Whether search engines may list it: only pages that everyone may see. */
  readonly isListed?: boolean;
}

/** @returns a whole page with the name of the service, which leads to its first page */
export const htmlPage = ({
  title,
  base,
  body,
  head,
  styles = [],
  scripts = [],
  isWide,
  isListed,
}: PageParts): string => {
  const links = ['/page.css', ...styles].map((path) => `<link rel="stylesheet" href="${base}${path}">`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">${isListed ? '' : '\n    <meta name="robots" content="noindex">'}
    <title>${title}</title>
    <link rel="icon" href="${base}/favicon.svg" type="image/svg+xml">
    ${links.join('\n    ')}${head ? `\n    ${head}` : ''}
  </head>
  <body>
    <div class="sheet${isWide ? ' wide' : ''}">
      <header><a class="mark" href="${base}/">${LOGO}Castellan</a></header>
      <main>
${body}
      </main>
    </div>
${scripts.map((path) => `    <script src="${base}${path}"></script>\n`).join('')}  </body>
</html>
`;
};
