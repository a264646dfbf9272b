import { REJECTED_CALL_UNITS } from '../cost/metering.js';
import type { CostRow } from '../cost/text.js';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1b2e; --soft: #5c5a74; --back: #f6f5fb; --card: #fff; --line: #e4e1f0; --brand: #5b3fd6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0eefb; --soft: #a9a5c4; --back: #14121f; --card: #1d1a2c; --line: #302b48; --brand: #a794ff; }
}
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
a { color: var(--brand); }
p { max-width: 44rem; color: var(--soft); }
code { font: 0.86rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
table { width: 100%; margin-top: 1.5rem; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: 0.45rem 0.8rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
`;

/** The texts come from this program and contain no markup except Markdown code spans. */
const marked = (text: string): string => text.replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/**
 * @param base path prefix of the service, '' at the root
 * @returns the page with the costs of calls, in HTML
 */
export const costPage = (rows: readonly CostRow[], base: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>What calls cost</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <p><a href="${base}/docs">Reference</a></p>
      <h1>What calls cost</h1>
      <p>A call costs compute units, which follow from the request alone: they are known before the call. Each operation says its own, for programs in <code>x-compute-units</code> of <a href="${base}/openapi.json">openapi.json</a>. Every answer to a call with a key says in the header <code>x-compute-units</code> what it did cost.</p>
      <p>A call that is refused before its work begins (a bad request, a missing key, too many requests, no units left) costs nothing, and neither does one that fails here (a status from 500 on). A call that is refused later (another status from 400 on, also because nothing is found) costs what the table says, but ${REJECTED_CALL_UNITS} compute units at most. One that was given up because it took too long costs its whole price.</p>
      <p>From 80% of the units of a plan on, answers say in <code>x-compute-units-used</code>, <code>x-compute-units-limit</code> and <code>x-compute-units-reset</code> how many are used, of how many, and until which day.</p>
      <table>
        <thead><tr><th>Operation</th><th>Cost</th></tr></thead>
        <tbody>
          ${rows.map(({ operation, price }) => `<tr><td><code>${operation}</code></td><td>${marked(price)}</td></tr>`).join('\n          ')}
        </tbody>
      </table>
    </main>
  </body>
</html>
`;
