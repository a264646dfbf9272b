import { CONSOLE } from '../api/base.js';
import { useApi } from '../api/query.js';
import { may, session } from '../api/session.js';
import { EventList } from '../part/event-list.js';
import { requestPath, webhookPath } from '../part/link.js';
import { Card, Chip, Page, Stat, type Tone } from '../part/page.js';
import { counted, formatNumber } from '../part/text.js';

/** Deliveries that wait longer are worth a look. */
const LATE_SECONDS = 60;

interface Attention {
  readonly tone: Tone;
  readonly state: string;
  readonly title: string;
  readonly text: string;
  readonly href: string;
}

const AttentionList = ({ items }: { readonly items: readonly Attention[] }) => (
  <Card title="Needs attention">
    <div class="list">
      {items.length === 0 ? <div class="soft">Nothing does.</div> : null}
      {items.map(({ tone, state, title, text, href }) => (
        <div key={title}>
          <Chip tone={tone}>{state}</Chip>
          <div class="grow">
            <b>{title}</b>
            <div class="soft small">{text}</div>
          </div>
          <a class="link small" href={href}>
            Look
          </a>
        </div>
      ))}
    </div>
  </Card>
);

interface Step {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly isDone: boolean;
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

const useAttention = (): { readonly items: readonly Attention[]; readonly isReady: boolean | undefined } => {
  const { data: ready } = useApi('/health/ready', undefined, { every: 15_000 });
  const { data: hooks } = useApi('/v2/social/webhook/list/', undefined, { enabled: may('webhook'), every: 30_000 });
  const { data: status } = useApi('/operator/status', undefined, { enabled: may('operator'), every: 30_000 });
  const refused = status?.refused_items ?? 0;
  const late = status?.webhook_deliveries;
  const failing = Object.entries(ready?.checks ?? {}).filter(([, { ok }]) => !ok);
  const notes = Object.entries(ready?.checks ?? {}).filter(([, { ok, note }]) => ok && note !== undefined);
  const off = (hooks?.webhooks ?? []).filter(({ active }) => !active);
  const items: Attention[] = [
    ...failing.map(
      ([name, { problem = '' }]): Attention => ({
        tone: 'bad',
        state: 'Fails',
        title: name,
        text: problem,
        href: `${CONSOLE}/health`,
      }),
    ),
    ...notes.map(
      ([name, { note = '' }]): Attention => ({
        tone: 'info',
        state: 'Works',
        title: name,
        text: note,
        href: `${CONSOLE}/health`,
      }),
    ),
    ...(refused > 0
      ? [
          {
            tone: 'warn',
            state: 'Refused',
            title: `${counted(refused, 'item')} of hubs and files`,
            text: 'The database did not take them; they are kept.',
            href: `${CONSOLE}/ingest`,
          } satisfies Attention,
        ]
      : []),
    ...(late !== undefined && late.oldest_seconds > LATE_SECONDS
      ? [
          {
            tone: 'warn',
            state: 'Waits',
            title: `${counted(late.waiting, 'delivery', 'deliveries')} of webhooks`,
            text: 'A receiver does not take them.',
            href: `${CONSOLE}/webhooks`,
          } satisfies Attention,
        ]
      : []),
    ...off.map(
      ({ title, webhook_id: id }): Attention => ({
        tone: 'warn',
        state: 'Off',
        title,
        text: 'This webhook is told nothing.',
        href: webhookPath(id),
      }),
    ),
  ];
  return { items, isReady: ready && failing.length === 0 };
};

const Figures = () => {
  const usage = useApi('/portal/organization/usage', { group: 'day' } as never, {
    enabled: may('portal'),
    every: 30_000,
  }).data;
  const hub = useApi('/v1/info', { dbstats: true } as never, { every: 15_000 }).data;
  const today = new Date().toISOString().slice(0, 10);
  const calls = usage?.usage.find(({ day }) => day === today);
  const stats = hub?.dbStats;
  return (
    <div class="stats">
      <Stat
        label="Messages stored"
        value={stats ? formatNumber(stats.numMessages ?? 0) : '…'}
        note={stats ? `of ${formatNumber(stats.numFidEvents ?? 0)} accounts` : 'counting'}
      />
      <Stat
        label="Version"
        value={hub?.version ?? '…'}
        note={session.value?.is_development ? 'development' : 'in service'}
      />
      <Stat
        label="Calls today"
        value={usage ? formatNumber(calls?.calls ?? 0) : '…'}
        note={usage ? `${formatNumber(calls?.computeUnits ?? 0)} units` : 'needs the scope portal'}
      />
      <Stat
        label="Units this period"
        value={usage ? formatNumber(usage.computeUnitsUsed) : '…'}
        note={usage ? `plan ${usage.plan}` : 'needs the scope portal'}
      />
    </div>
  );
};

/** Is it well, what happens, and what comes next. */
export const Home = () => {
  const { items, isReady } = useAttention();
  const { data: usage } = useApi('/portal/organization/usage', { group: 'day' } as never, { enabled: may('portal') });
  const { data: hooks } = useApi('/v2/social/webhook/list/', undefined, { enabled: may('webhook') });
  const { data: signers } = useApi('/portal/signers', undefined, { enabled: may('write') });
  const steps: Step[] = [
    { title: 'Start the service', text: '', href: '', isDone: true },
    {
      title: 'Send a first request',
      text: 'from a form, or copied for a terminal',
      href: requestPath('fetch-bulk-users'),
      isDone: (usage?.total.calls ?? 0) > 0,
    },
    {
      title: 'Cast as an account',
      text: 'with a signer that it approves',
      href: `${CONSOLE}/write`,
      isDone: signers?.signers.some(({ status }) => status === 'approved') ?? false,
    },
    {
      title: 'Receive events',
      text: 'a webhook, or a stream in this browser',
      href: `${CONSOLE}/webhooks`,
      isDone: (hooks?.webhooks.length ?? 0) > 0,
    },
  ];
  const title = isReady === undefined ? 'Castellan' : isReady ? 'Everything is up to date' : 'The service needs you';
  return (
    <Page
      title={title}
      note={
        items.length === 0
          ? 'The service answers, takes in messages, and nothing waits for you.'
          : `${items.length === 1 ? 'One thing needs' : `${items.length} things need`} a look.`
      }
      actions={
        <>
          {may('operator') ? (
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
      <Figures />
      <div class="split">
        {may('read') ? <EventList most={12} /> : null}
        <div class="form">
          <AttentionList items={items} />
          <GetStarted steps={steps} />
        </div>
      </div>
    </Page>
  );
};
