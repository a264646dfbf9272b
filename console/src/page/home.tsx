import { APPROVED, SIGNERS } from '../api/actor.js';
import { CONSOLE } from '../api/base.js';
import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import type { components } from '../api/schema.js';
import { may, type Session } from '../api/session.js';
import { AttentionList, READINESS, useAttention } from '../part/attention.js';
import { useBacklogs } from '../part/backlog.js';
import { EventList } from '../part/event-list.js';
import { requestPath } from '../part/link.js';
import { MinuteChart } from '../part/minute-chart.js';
import { Card, Chip, Page, Stat } from '../part/page.js';
import { formatNumber } from '../part/text.js';

type Scope = Session['scopes'][number];

interface Step {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly isDone: boolean;
  /** Without it, the step cannot be done. */
  readonly scope?: Scope;
}

const GetStarted = ({ steps }: { readonly steps: readonly Step[] }) => {
  const next = steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title="Get started"
      aside={
        <span class="faint small">
          {done} of {steps.length}
        </span>
      }
    >
      <div class="list">
        {steps.map((step) => (
          <div key={step.title}>
            <Chip tone={step.isDone ? 'ok' : 'plain'}>{step.isDone ? 'Done' : step === next ? 'Next' : 'Then'}</Chip>
            <div class="grow">
              {step.isDone ? <span class="soft">{step.title}</span> : <b>{step.title}</b>}
              {step.isDone ? null : <div class="soft small">{step.text}</div>}
            </div>
            {step === next ? (
              <a class="link small" href={step.href}>
                Do it
              </a>
            ) : null}
          </div>
        ))}
      </div>
    </Card>
  );
};

/** @returns how far the store is behind the hub, in words */
const lagOf = (hub: components['schemas']['IngestStatusResponse']['hub'] | undefined): string => {
  if (hub === undefined) return '';
  if (hub === null) return 'no hub is followed';
  if (!hub.is_connected) return 'the hub is not connected';
  if (hub.sync !== null) return 'the history of the hub is being read';
  return hub.lag_seconds === null ? 'nothing came yet' : `${formatNumber(hub.lag_seconds)} s behind the hub`;
};

/** @returns why a figure is not there (yet) */
const absence = (scope: Scope, error: Error | null): string => {
  if (!may(scope)) return `needs the scope ${scope}`;
  return error ? 'could not be read' : 'counting';
};

const Stored = () => {
  const read = useApi('/v1/info', { dbstats: true } as never, { enabled: may('read'), every: 15_000 });
  const stats = read.data?.dbStats;
  const ingest = useApi('/operator/ingest', undefined, { enabled: may('operator'), every: 30_000 }).data;
  const lag = lagOf(ingest?.hub);
  return (
    <Stat
      label="Messages stored"
      value={stats ? formatNumber(stats.numMessages ?? 0) : '…'}
      note={
        stats
          ? `of ${formatNumber(stats.numFidEvents ?? 0)} accounts${lag === '' ? '' : `, ${lag}`}`
          : absence('read', read.error)
      }
    >
      {ingest ? (
        <MinuteChart
          label="Changes stored in each minute of the last hour"
          one="change"
          minutes={ingest.minutes.map(({ at, events }) => ({ at, value: events }))}
        />
      ) : null}
    </Stat>
  );
};

const Asked = () => {
  const { data: read, error } = useApi('/portal/requests/count', undefined, { enabled: may('portal'), every: 15_000 });
  const minutes = read?.minutes ?? [];
  const failed = minutes.reduce((sum, one) => sum + one.failed, 0);
  const all = minutes.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <Stat
      label="Requests in the last hour"
      value={read ? formatNumber(all) : '…'}
      note={read?.is_on === false ? 'are not kept' : read ? `${formatNumber(failed)} failed` : absence('portal', error)}
    >
      {read ? (
        <a href={`${CONSOLE}/log${failed > 0 ? '?status=failed' : ''}`} aria-label="Request log">
          <MinuteChart
            label={`Requests in each minute of the last hour, ${failed} failed`}
            one="request"
            minutes={minutes.map(({ at, requests, failed: wrong }) => ({ at, value: requests, wrong }))}
          />
        </a>
      ) : null}
    </Stat>
  );
};

const Sent = () => {
  const { data, error } = useBacklogs();
  const hooks = data?.webhooks;
  const waiting = hooks?.reduce((sum, one) => sum + one.waiting, 0) ?? 0;
  const dead = hooks?.reduce((sum, one) => sum + one.dead, 0) ?? 0;
  return (
    <Stat
      label="Deliveries waiting"
      value={hooks ? formatNumber(waiting) : '…'}
      note={hooks ? `${formatNumber(dead)} given up` : absence('webhook', error)}
    />
  );
};

const Figures = ({
  usage,
  error,
}: {
  readonly usage: ResponseOf<'/portal/organization/usage', 'get'> | undefined;
  readonly error: Error | null;
}) => {
  const calls = usage?.usage.find(({ day }) => day === new Date().toISOString().slice(0, 10));
  return (
    <div class="stats">
      <Stored />
      <Asked />
      <Sent />
      <Stat
        label="Units this period"
        value={usage ? formatNumber(usage.computeUnitsUsed) : '…'}
        note={usage ? `${formatNumber(calls?.computeUnits ?? 0)} today, plan ${usage.plan}` : absence('portal', error)}
      />
    </div>
  );
};

/** Is it well, what happens, and what comes next. */
export const Home = () => {
  const attention = useAttention();
  const { needy, status, isKnown, isSyncing } = attention;
  const { data: usage, error } = useApi('/portal/organization/usage', { group: 'day' } as never, {
    enabled: may('portal'),
    every: 30_000,
  });
  const { data: hooks } = useBacklogs();
  const { data: signers } = useApi(SIGNERS, APPROVED, { enabled: may('write') });
  const steps: Step[] = [
    { title: 'Start the service', text: '', href: '', isDone: true },
    {
      scope: 'portal',
      title: 'Send a first request',
      text: 'from a form, or copied for a terminal',
      href: requestPath('fetch-bulk-users'),
      isDone: (usage?.total.calls ?? 0) > 0,
    },
    {
      scope: 'write',
      title: 'Cast as an account',
      text: 'with a signer that it approves',
      href: `${CONSOLE}/write`,
      isDone: (signers?.signers.length ?? 0) > 0,
    },
    {
      scope: 'webhook',
      title: 'Receive events',
      text: 'a webhook, or a stream in this browser',
      href: `${CONSOLE}/webhooks`,
      isDone: (hooks?.webhooks.length ?? 0) > 0,
    },
  ];
  const isWell = status === 'ready' && needy === 0 && isKnown;
  const known = status !== undefined && (isKnown || needy > 0) ? READINESS[status] : 'Castellan';
  const title = isWell && !isSyncing ? 'Everything is up to date' : known;
  return (
    <Page
      title={title}
      note={
        needy > 0
          ? `${needy === 1 ? 'One thing needs' : `${needy} things need`} a look.`
          : isWell
            ? 'The service answers, takes in messages, and nothing waits for you.'
            : undefined
      }
      actions={
        <>
          {may('portal') ? (
            <a class="button" href={`${CONSOLE}/keys`}>
              Create a key
            </a>
          ) : null}
          <a class="button first" href={`${CONSOLE}/requests`}>
            Send a request
          </a>
        </>
      }
    >
      <Figures usage={usage} error={error} />
      <div class="split">
        {may('read') ? <EventList most={12} /> : null}
        <div class="form">
          <AttentionList {...attention} />
          <GetStarted steps={steps.filter(({ scope }) => scope === undefined || may(scope))} />
        </div>
      </div>
    </Page>
  );
};
