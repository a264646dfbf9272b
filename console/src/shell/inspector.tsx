import { useState } from 'preact/hooks';
import { SERVICE_URL } from '../api/base.js';
import { pagePaths, type RecordedRequest, recorded } from '../api/recorded.js';
import { CopyButton } from '../part/copy.js';
import { formatNumber } from '../part/text.js';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What must not be copied by accident is a variable, as the key is. */
const SECRET_HEADER = 'authorization';

type Sent = Pick<RecordedRequest, 'method' | 'path' | 'body'> & Partial<Pick<RecordedRequest, 'headers'>>;

/** @returns a command for a shell; the key is a variable, so that it is not copied by accident */
export const asCurl = ({ method, path, headers = {}, body }: Sent): string =>
  [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}-H "x-api-key: $CASTELLAN_KEY"`,
    ...Object.entries(headers).map(([name, value]) =>
      name === SECRET_HEADER ? `-H "${name}: $AUTHORIZATION"` : `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d ${quote(body)}`]),
    quote(`${SERVICE_URL}${path}`),
  ].join(' \\\n  ');

const asJavaScript = ({ method, path, headers, body }: RecordedRequest): string => `const response = await fetch(
  ${JSON.stringify(`${SERVICE_URL}${path}`)},
  {
    method: '${method}',
    headers: {
      'x-api-key': process.env.CASTELLAN_KEY,${Object.entries(headers)
        .map(([name, value]) => {
          const shown = name === SECRET_HEADER ? 'process.env.AUTHORIZATION' : JSON.stringify(value);
          return `\n      ${JSON.stringify(name)}: ${shown},`;
        })
        .join('')}${body === undefined ? '' : "\n      'content-type': 'application/json',"}
    },${body === undefined ? '' : `\n    body: JSON.stringify(${body}),`}
  },
);
console.log(await response.json());`;

const asJson = ({ text }: RecordedRequest): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

const VIEWS = { curl: asCurl, JavaScript: asJavaScript, JSON: asJson } as const;
type View = keyof typeof VIEWS;

/** One request as what a program would send, and what it gets. */
export const RequestView = ({
  request,
  isResponseFirst = false,
}: {
  readonly request: RecordedRequest;
  readonly isResponseFirst?: boolean;
}) => {
  const [view, setView] = useState<View>(isResponseFirst ? 'JSON' : 'curl');
  const text = VIEWS[view](request);
  return (
    <>
      <div class="tabs">
        <div class="tab-list" role="tablist">
          {(Object.keys(VIEWS) as View[]).map((name) => (
            <button key={name} type="button" role="tab" aria-selected={name === view} onClick={() => setView(name)}>
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <pre class="pre" tabIndex={0}>
        {text.length > 60_000 ? `${text.slice(0, 60_000)}\n…` : text}
      </pre>
    </>
  );
};

/** The requests that made the open page. */
export const Inspector = ({ close }: { readonly close: () => void }) => {
  const requests = [...new Set(pagePaths.value)].flatMap((path) => recorded.value.get(path) ?? []);
  const [open, setOpen] = useState(0);
  const ms = requests.reduce((sum, request) => sum + request.ms, 0);
  return (
    <aside class="inspector" aria-label="How this page is made">
      <header>
        <h2>How this page is made</h2>
        <button type="button" class="button right" onClick={close}>
          Close
        </button>
      </header>
      <p class="faint small facts">
        {requests.length === 1 ? '1 request' : `${requests.length} requests`}, {formatNumber(ms)} ms
      </p>
      {requests.length === 0 ? <p class="soft pad">This page asks the service for nothing.</p> : null}
      {requests.map((request, n) => (
        <section key={`${request.method} ${request.path}`}>
          <button type="button" class="asked" aria-expanded={n === open} onClick={() => setOpen(n === open ? -1 : n)}>
            <span class="verb">{request.method}</span>
            <span class="mono grow">{request.path}</span>
          </button>
          <p class="soft small facts">
            {request.status} in {formatNumber(request.ms)} ms
            {request.units === undefined ? '' : `, ${request.units === 1 ? '1 unit' : `${request.units} units`}`}
          </p>
          {n === open ? <RequestView request={request} /> : null}
        </section>
      ))}
    </aside>
  );
};
