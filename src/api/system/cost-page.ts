import { REJECTED_CALL_UNITS } from '../cost/metering.js';
import type { CostRow } from '../cost/text.js';
import { htmlPage } from '../web-page/html-page.js';

export const COST_STYLE = `main p { max-width: 44rem; }
table { width: 100%; margin-top: 20px; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: 8px 14px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
`;

/** The texts come from this program and contain no markup except Markdown code spans. */
const marked = (text: string): string => text.replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/**
 * @param base path prefix of the service, '' at the root
 * @returns the page with the costs of calls, in HTML
 */
export const costPage = (rows: readonly CostRow[], base: string): string =>
  htmlPage({
    title: 'What calls cost · Castellan',
    base,
    isWide: true,
    isListed: true,
    styles: ['/docs/costs.css'],
    body: `<h1>What calls cost</h1>
      <p class="soft">A call costs compute units, which follow from the request alone: they are known before the call. Each operation says its own, for programs in <code>x-compute-units</code> of <a href="${base}/openapi.json">openapi.json</a>. Every answer to a call with a key says in the header <code>x-compute-units</code> what it did cost.</p>
      <p class="soft">A call that is refused before its work begins (a bad request, a missing key, too many requests, no units left) costs nothing, and neither does one that fails here (a status from 500 on). A call that is refused later (another status from 400 on, also because nothing is found) costs what the table says, but ${REJECTED_CALL_UNITS} compute units at most. One that was given up because it took too long costs its whole price.</p>
      <p class="soft">From 80% of the units of a plan on, answers say in <code>x-compute-units-used</code>, <code>x-compute-units-limit</code> and <code>x-compute-units-reset</code> how many are used, of how many, and until which day.</p>
      <table>
        <thead><tr><th>Operation</th><th>Cost</th></tr></thead>
        <tbody>
          ${rows.map(({ operation, price }) => `<tr><td><code>${operation}</code></td><td>${marked(price)}</td></tr>`).join('\n          ')}
        </tbody>
      </table>
        <p><a href="${base}/docs">Reference</a> · <a href="${base}/guides">Guides</a></p>`,
  });
