import { VERSION } from '../../version.js';

export interface WelcomePageData {
  /** URL of the service for its clients, without a trailing slash. */
  readonly publicUrl: string;
  /** Path prefix of the service behind a proxy; '' at the root. */
  readonly base: string;
  /** Whether this is a development service with a local network, which has sample accounts and an API key in a file. */
  readonly isLocal: boolean;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const LOGO = `<svg class="logo" viewBox="0 0 64 64" aria-hidden="true"><path d="M10 10h10v7h7v-7h10v7h7v-7h10v18l-5 5v21H15V33l-5-5Z"/><path class="gate" d="M26 54V43a6 6 0 0 1 12 0v11Z"/></svg>`;

/** Colours follow the system's colour scheme; nothing is loaded from other servers. */
export const WELCOME_STYLE = `
:root { color-scheme: light dark; --ink: #1c1b2e; --soft: #5c5a74; --back: #f6f5fb; --card: #fff; --line: #e4e1f0; --brand: #5b3fd6; --code: #f1eefb; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0eefb; --soft: #a9a5c4; --back: #14121f; --card: #1d1a2c; --line: #302b48; --brand: #a794ff; --code: #262138; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
header { display: flex; gap: 1.1rem; align-items: center; }
.logo { width: 4rem; flex: none; fill: var(--brand); }
.logo .gate { fill: var(--back); }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; }
h1 small { font-size: 0.9rem; font-weight: 500; color: var(--soft); letter-spacing: 0; }
header p { margin: 0.2rem 0 0; color: var(--soft); }
.people { display: flex; gap: 0.5rem; margin: 1.75rem 0 0; overflow: hidden; }
.people img { width: 3rem; height: 3rem; border-radius: 50%; flex: none; }
nav { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); margin: 1.75rem 0 2.5rem; }
nav a { display: block; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.9rem; background: var(--card); color: inherit; text-decoration: none; }
nav a:hover, nav a:focus-visible { border-color: var(--brand); }
nav strong { display: block; color: var(--brand); }
nav span { color: var(--soft); font-size: 0.92rem; }
h2 { margin: 2.25rem 0 0.25rem; font-size: 1.2rem; }
section p { margin: 0.75rem 0 0.4rem; color: var(--soft); }
pre { margin: 0; padding: 0.8rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 0.7rem; background: var(--code); font: 0.86rem/1.5 ui-monospace, monospace; }
`;

const card = (href: string, title: string, text: string): string =>
  `<a href="${escaped(href)}"><strong>${title}</strong><span>${text}</span></a>`;

const request = (text: string, line: string): string => `<p>${text}</p>\n<pre><code>${escaped(line)}</code></pre>`;

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
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Castellan</title>
    <link rel="icon" href="data:,">
    <style>${WELCOME_STYLE}</style>
  </head>
  <body>
    <main>
      <header>${LOGO}<div><h1>Castellan <small>${VERSION}</small></h1><p>A self-hosted server for the Farcaster social protocol. It is running.</p></div></header>
      ${isLocal ? `<div class="people" aria-hidden="true">${people.join('')}</div>` : ''}
      <nav>
        ${card(`${base}/docs`, 'Reference', 'Every operation, with examples to send from the page')}
        ${card(`${base}/health/ready`, 'Health', 'Whether the service is ready, and if not, why')}
        ${card(`${base}/openapi.json`, 'OpenAPI', 'The same reference for programs')}
      </nav>
      <section>
        <h2>First requests</h2>
        <p>${keyHint}</p>
        ${requests(facts).join('\n        ')}
      </section>
    </main>
  </body>
</html>
`;
};
