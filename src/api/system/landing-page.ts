import { VERSION } from '../../version.js';
import { escapeHtml, htmlPage } from '../web-page/html-page.js';

export interface WelcomePageData {
  /** URL of the service for its clients, without a trailing slash. */
  readonly publicUrl: string;
  /** Path prefix of the service behind a proxy; '' at the root. */
  readonly base: string;
  /** Whether this is a development service with a local network, which has sample accounts and an API key in a file. */
  readonly isLocal: boolean;
}

/** What the first page has beside the style of all pages. */
export const LANDING_STYLE = `.people { display: flex; gap: 8px; margin: 20px 0 0; overflow: hidden; }
.people img { width: 44px; height: 44px; border-radius: 50%; flex: none; }
`;

const card = (href: string, title: string, text: string): string =>
  `<a href="${escapeHtml(href)}"><strong>${title}</strong><span>${text}</span></a>`;

const request = (text: string, line: string): string =>
  `<p class="soft">${text}</p>\n<pre><code>${escapeHtml(line)}</code></pre>`;

const curl = (publicUrl: string, key: string, path: string): string =>
  `curl -s -H "x-api-key: ${key}" '${publicUrl}${path}'`;

/** Requests that work with any data come first; the sample accounts exist only on a local network. */
const requests = ({ publicUrl, isLocal }: WelcomePageData): string[] => {
  const key = isLocal ? '$(cat data/api-key)' : 'YOUR_KEY';
  const line = (path: string): string => curl(publicUrl, key, path);
  return [
    request('A profile:', line('/v2/social/user/bulk/?fids=1')),
    request('The newest casts of an account, ready to show:', line('/v2/social/feed/user/casts/?fid=1&limit=3')),
    request('The same as signed messages, as a hub has them:', line('/v1/castsByFid?fid=1&pageSize=3&reverse=true')),
    request('What happens, as it happens:', line('/v2/social/stream/').replace('curl -s', 'curl -sN')),
  ];
};

export const welcomePage = (facts: WelcomePageData): string => {
  const { base, isLocal } = facts;
  const people = Array.from({ length: 14 }, (_, index) => `<img src="${base}/sample/avatar/${index + 1}.svg" alt="">`);
  const keyHint = isLocal
    ? 'Run these in the folder that the service was started in: its key is in <code>data/api-key</code>.'
    : 'Put your key in the place of <code>YOUR_KEY</code>; <code>castellan key create</code> makes one.';
  return htmlPage({
    title: 'Castellan',
    base,
    isWide: true,
    isListed: true,
    styles: ['/start.css'],
    body: `        <h1>A self-hosted server for the Farcaster social protocol</h1>
        <p class="soft">It is running, version ${VERSION}.</p>
        ${isLocal ? `<div class="people" aria-hidden="true">${people.join('')}</div>` : ''}
        <nav class="cards" aria-label="Pages">
          ${card(`${base}/console/`, 'Console', 'The service in a browser: people, casts, keys, usage, webhooks')}
          ${card(`${base}/guides`, 'Guides', 'Build a client or a mini app, operate, resell; all pages of the manual, with a search')}
          ${card(`${base}/docs`, 'Reference', 'Every operation, with examples to send from the page')}
          ${card(`${base}/docs/costs`, 'Costs', 'What each call costs, in compute units')}
          ${card(`${base}/openapi.json`, 'OpenAPI', 'The reference for programs')}
          ${card(`${base}/llms.txt`, 'llms.txt', 'The manual for language models')}
          ${card(`${base}/health/ready`, 'Health', 'Whether the service is ready, and if not, why')}
        </nav>
        <h2>First requests</h2>
        <p class="soft">${keyHint}</p>
        ${requests(facts).join('\n        ')}`,
  });
};
