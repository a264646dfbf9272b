/**
 * Colours of the reference with enough contrast (WCAG 2.2, 1.4.3) also for small text on a tinted ground; those of the
 * package have less. On narrow screens its page is a little wider than the screen.
 */
const STYLE = `
.scalar-app { overflow-x: clip; }
.light-mode {
  --scalar-color-2: #5c5c5c; --scalar-color-3: #636363; --scalar-color-green: #006b43; --scalar-color-blue: #0062a3;
  --scalar-color-yellow: #7a5a00; --scalar-color-orange: #b03d00; --scalar-color-red: #b8001c; --scalar-color-purple: #5203d1;
}
.dark-mode {
  --scalar-color-2: #b5b5b5; --scalar-color-3: #a8a8a8; --scalar-color-green: #33c98c; --scalar-color-blue: #56b4f5;
  --scalar-color-yellow: #ffc90d; --scalar-color-orange: #ff9a5c; --scalar-color-red: #ff8a8f; --scalar-color-purple: #c9a6ff;
}`;

/**
 * The script that starts the reference page. The package fills a parameter without an example with an empty text or a
 * zero, ignores `example`, and sends both: so the document is adapted to it in the browser, and `/openapi.json` remains
 * what other programs expect.
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const docsStart = (base: string): string => `'use strict';
const base = ${JSON.stringify(base)};

/** A parameter has its example under the name of that of the body; one without is described so that it is not sent. */
const adaptParameter = (parameter, name) => {
  const { example, required, schema } = parameter;
  if (example !== undefined) {
    parameter.examples = { [name]: { value: example } };
    delete parameter.example;
  } else if (!required && schema !== undefined) {
    parameter.content = { 'text/plain': { schema } };
    delete parameter.schema;
  }
};

const adapt = (openapi) => {
  for (const { parameters, requestBody } of Object.values(openapi.paths).flatMap((item) => Object.values(item))) {
    const hasExample = Object.values(requestBody?.content ?? {}).some(({ examples }) => examples !== undefined);
    for (const parameter of parameters) adaptParameter(parameter, hasExample ? 'sample' : '');
  }
  openapi.info.description += '\\n\\n[The OpenAPI document](' + base + '/openapi.json) describes all of this to programs.';
  return openapi;
};

/** Attributes by which screen readers get along with the elements of the package. */
const mend = () => {
  const each = (selector, change) => {
    for (const element of document.querySelectorAll(selector)) change(element);
  };
  each('button[aria-selected]:not([role])', (button) => button.removeAttribute('aria-selected'));
  each('button[role="search"]', (button) => button.removeAttribute('role'));
  each('.sidebar-search-placeholder[aria-hidden]', (text) => text.removeAttribute('aria-hidden'));
  each('[role="tablist"] button:not([role])', (button) => button.setAttribute('role', 'tab'));
  // Its text is hidden on narrow screens.
  each('.client-libraries__select', (button) => button.setAttribute('aria-label', button.textContent.trim() || 'More'));
  each('.cm-content[role="textbox"]:not([aria-label])', (box) => box.setAttribute('aria-label', 'Value'));
  each('button.show-more[aria-label]', (button) => button.removeAttribute('aria-label'));
  each('ul.endpoints:not([tabindex])', (list) => list.setAttribute('tabindex', '0'));
};
let isDue = false;
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    mend();
  });
}).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-selected'] });

const start = async () => {
  const response = await fetch(base + '/openapi.json');
  Scalar.createApiReference('#app', {
    content: adapt(await response.json()),
    customCss: ${JSON.stringify(STYLE)},
    documentDownloadType: 'none',
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    persistAuth: false,
    operationTitleSource: 'summary',
  });
};
start();
`;
