import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { urlOf } from '../api/client.js';
import { refresh, useApi, usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { may } from '../api/session.js';
import { CopyButton, Mono } from '../part/copy.js';
import { MinuteChart } from '../part/minute-chart.js';
import { More } from '../part/more.js';
import { Card, Chip, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted, formatNumber } from '../part/text.js';
import { TextField } from '../part/text-field.js';
import { Time } from '../part/time.js';
import { asCurl } from '../shell/inspector.js';

type Logged = components['schemas']['LoggedRequest'];

const OWN = '/portal/requests';
const ALL = '/operator/requests';
const COUNT = '/portal/requests/count';
const FILTERS = ['request_id', 'key_uuid', 'operation', 'status'] as const;
const STATUSES = [200, 304, 400, 402, 403, 404, 409, 429, 500, 501, 503, 504];
const FAILED = 400;

const toneOf = (status: number): 'ok' | 'warn' | 'bad' => (status < FAILED ? 'ok' : status < 500 ? 'warn' : 'bad');

const Details = ({ request }: { readonly request: Logged }) => {
  const { error, method, address, request_id: id, key_uuid: key } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const curl = asCurl({ method, path: address, body: hasBody ? '@body.json' : undefined });
  return (
    <div class="form">
      {error ? (
        <p>
          <b>{error.code}</b> {error.message}
          {error.property ? (
            <span class="soft">
              {' '}
              (member <code>{error.property}</code>)
            </span>
          ) : null}
        </p>
      ) : null}
      <p class="soft small">
        Request <Mono text={id} whole />, with the key <Mono text={key} whole />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <pre class="pre" tabIndex={0}>
        {curl}
      </pre>
      <div class="row">
        <CopyButton text={curl} label="Copy as curl" />
        <span class="faint small">
          {hasBody ? 'The body is not kept: put it into body.json. ' : ''}
          {address.includes('***') ? 'What is *** was masked.' : ''}
        </span>
      </div>
    </div>
  );
};

const Row = ({
  request,
  isOpen,
  toggle,
  linkOf,
}: {
  readonly request: Logged;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  /** The page with this filter in place of the others. */
  readonly linkOf: (filter: Readonly<Record<string, string>>) => string;
}) => (
  <>
    <tr class={isOpen ? 'open' : undefined}>
      <td>
        <button
          type="button"
          class="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${request.request_id}`}
          onClick={toggle}
        >
          {isOpen ? 'Close' : 'Open'}
        </button>
      </td>
      <td>
        <Time at={request.at} />
      </td>
      <td class="mono">
        <a class="link" href={linkOf({ operation: request.operation })}>
          {request.operation}
        </a>
      </td>
      <td>
        <Chip tone={toneOf(request.status)}>{request.status}</Chip>{' '}
        <span class="soft small">{request.error?.code ?? ''}</span>
      </td>
      <td class={`num${request.compute_units === 0 ? ' faint' : ''}`}>{formatNumber(request.compute_units)}</td>
      <td class="num">{formatNumber(request.milliseconds)} ms</td>
      <td>
        <a class="link" href={linkOf({ key_uuid: request.key_uuid })}>
          {request.key_name ?? 'deleted'}
        </a>
      </td>
    </tr>
    {isOpen ? (
      <tr class="opened">
        <td colSpan={7}>
          <Details request={request} />
        </td>
      </tr>
    ) : null}
  </>
);

const Filters = ({ query, go }: { readonly query: Query; readonly go: (query: Query) => void }) => {
  const [typed, setTyped] = useState<Query>(query);
  // A link of a row, or Back, changes the address.
  const now = JSON.stringify(query);
  useEffect(() => setTyped(JSON.parse(now) as Query), [now]);
  const field = (name: string, label: string, placeholder: string) => (
    <TextField
      id={`log-${name}`}
      label={label}
      placeholder={placeholder}
      value={typed[name] ?? ''}
      change={(value) => setTyped({ ...typed, [name]: value.trim() })}
    />
  );
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <div class="field">
      <label for={`log-${name}`}>{label}</label>
      <select
        id={`log-${name}`}
        class="input"
        value={typed[name] ?? ''}
        onChange={({ currentTarget }) => go({ ...typed, [name]: currentTarget.value })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form
      class="pad filters"
      onSubmit={(event) => {
        event.preventDefault();
        go(typed);
      }}
    >
      {field('request_id', 'Request id', 'x-request-id of a response')}
      {field('operation', 'Operation', 'fetch-feed')}
      {field('key_uuid', 'Key', 'its id')}
      {choice('status', 'Status', [
        ['', 'Any'],
        ['failed', 'Failed'],
        ...STATUSES.map((status): [string, string] => [String(status), String(status)]),
      ])}
      {may('operator')
        ? choice('of', 'Of', [
            ['', 'This organization'],
            ['all', 'All organizations'],
          ])
        : null}
      <div class="row">
        <button type="submit" class="button">
          Find
        </button>
        <a class="button" href={`${CONSOLE}/log`}>
          Clear
        </a>
      </div>
    </form>
  );
};

type Query = Readonly<Record<string, string | undefined>>;

/** What was asked with the keys of the organization within an hour, what it cost, and why it failed. */
export const RequestLog = () => {
  const { query, route } = useLocation();
  const isOfAll = query.of === 'all' && may('operator');
  const asked = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const path = isOfAll ? ALL : OWN;
  const read = usePages<typeof OWN>(path as typeof OWN, { ...asked, limit: 50 });
  // The service counts by organization, so there is nothing to say about all of them.
  const { data: counts } = useApi(COUNT, undefined, { enabled: !isOfAll, every: 15_000 });
  const rows = read.data?.pages.flatMap(({ requests }) => requests) ?? [];
  const isOff = read.data?.pages[0]?.is_on === false;
  const minutes = counts?.minutes ?? [];
  const sum = (member: 'requests' | 'failed' | 'unlisted') => minutes.reduce((all, one) => all + one[member], 0);
  const go = (next: Query): void => route(urlOf(`${CONSOLE}/log`, next), true);
  const linkOf = (filter: Query): string => urlOf(`${CONSOLE}/log`, { ...(isOfAll && { of: 'all' }), ...filter });
  const isFiltered = Object.keys(asked).length > 0;
  const own =
    sum('requests') === 0
      ? 'No requests in the last hour'
      : sum('failed') === 0
        ? `${counted(sum('requests'), 'request')} in the last hour, none failed`
        : `${formatNumber(sum('failed'))} of ${counted(sum('requests'), 'request')} failed in the last hour`;
  const title = isOfAll ? 'Requests of all organizations' : counts ? own : 'Request log';
  return (
    <Page
      title={isOff ? 'The service keeps no requests' : title}
      note={`Requests with the keys of ${isOfAll ? 'all organizations' : 'the organization'} are kept for an hour, without their bodies.`}
      actions={
        <button type="button" class="button" onClick={() => void refresh(OWN, ALL, COUNT)}>
          Read again
        </button>
      }
    >
      {isOff || isOfAll || counts === undefined ? null : (
        <Card title="By minute">
          <div class="pad">
            <MinuteChart
              label={`${counted(sum('requests'), 'request')} in the last hour, ${sum('failed')} failed`}
              one="request"
              minutes={minutes.map(({ at, requests, failed }) => ({ at, value: requests, wrong: failed }))}
            />
            {sum('unlisted') > 0 ? (
              <p class="soft small">
                {counted(sum('unlisted'), 'request')} came at once with too many others, and are counted but not listed.
              </p>
            ) : null}
          </div>
        </Card>
      )}
      <Card>
        <Filters query={query} go={go} />
        <Loading read={read} what="The requests">
          {() =>
            rows.length === 0 ? (
              <Empty title={isOff ? 'CASTELLAN_REQUEST_LOG is false' : 'No request fits'}>
                {isOff
                  ? 'An operator turned the log off.'
                  : isFiltered
                    ? `It may be older than an hour${isOfAll ? '' : ', or of another organization'}.`
                    : 'Send one, and it shows here a second later.'}
              </Empty>
            ) : (
              <>
                <div class="scroll">
                  <table>
                    <thead>
                      <tr>
                        <th>
                          <span class="unseen">Details</span>
                        </th>
                        <th>When</th>
                        <th>Operation</th>
                        <th>Status</th>
                        <th class="num">Units</th>
                        <th class="num">Time</th>
                        <th>Key</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((one, n) => (
                        <Row
                          key={`${one.request_id} ${one.at} ${n}`}
                          request={one}
                          isOpen={query.open === one.request_id}
                          toggle={() =>
                            go({ ...query, open: query.open === one.request_id ? undefined : one.request_id })
                          }
                          linkOf={linkOf}
                        />
                      ))}
                    </tbody>
                  </table>
                </div>
                <More pages={read} />
              </>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
