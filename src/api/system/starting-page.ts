import { escapeHtml, htmlPage } from '../web-page/html-page.js';
import { pagePolicy } from '../web-page/page-reply.js';

/** Milliseconds between two looks. */
const POLL_MS = 500;

/** Of the page: it asks how far the start is, and nothing else. */
export const STARTING_POLICY = pagePolicy([
  "style-src 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  "connect-src 'self'",
]);

/** @returns `Loading the sample network (40%) ...`, for `not done yet: loading the sample network (40%)` */
const sentenceOf = (problem: string): string => {
  const step = problem.replace(/^not done yet: /, '');
  return `${step.charAt(0).toUpperCase()}${step.slice(1)} ...`;
};

/** Says how far the start is, and opens the page that was asked for once the service is ready. */
export const startingScript = (base: string): string => `const sentenceOf = ${sentenceOf};
const step = document.getElementById('step');
setInterval(async () => {
  try {
    const { checks } = await (await fetch('${base}/health/ready')).json();
    if (checks.startup.ok) location.reload();
    else step.textContent = sentenceOf(checks.startup.problem);
  } catch {
    // For a moment nobody listens: the service takes the port over.
  }
}, ${POLL_MS});
`;

/**
 * The page that a development service shows until its data is there.
 * @param problem what the check `startup` of `/health/ready` says
 */
export const startingPage = (base: string, problem: string): string =>
  htmlPage({
    title: 'Castellan is starting',
    base,
    head: '<noscript><meta http-equiv="refresh" content="2"></noscript>',
    scripts: ['/starting.js'],
    body: `        <h1>Castellan is starting</h1>
        <p class="soft" id="step" role="status">${escapeHtml(sentenceOf(problem))}</p>
        <p class="soft">The first start makes a network of 300 people to try things with, which takes half a minute.</p>`,
  });
