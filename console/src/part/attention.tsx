import { CONSOLE } from '../api/base.js';
import { type Health, useHealth } from '../api/health.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { type Backlog, countedEvents, useBacklogs } from './backlog.js';
import { webhookPath } from './link.js';
import { Card, Chip, type Tone } from './page.js';
import { Bones } from './state.js';
import { counted, formatDuration } from './text.js';

interface Attention {
  readonly tone: Tone;
  readonly state: string;
  readonly title: string;
  readonly text: string;
  /** What to do next, in words. */
  readonly step: string;
  readonly href: string;
}

const ofWebhook = (one: Backlog): Attention[] => {
  const { title, dead, waiting, inactive_reason: reason } = one;
  const href = webhookPath(one.webhook_id);
  const items: Attention[] = [];
  if (reason !== null)
    items.push({
      ...{ tone: 'warn', state: 'Off', title, href, step: 'Turn it on' },
      text: reason,
    });
  else if (one.failing_since !== null)
    items.push({
      ...{ tone: 'bad', state: 'Fails', title, href, step: 'See why' },
      text: `Its receiver takes nothing for ${formatDuration(new Date(one.failing_since), new Date())}; ${countedEvents(waiting, 'event waits', 'events wait')}.`,
    });
  if (dead > 0)
    items.push({
      ...{ tone: 'bad', state: 'Gave up', href, step: 'Replay' },
      title: `${countedEvents(dead)} of ${title}`,
      text: 'They are sent again once you replay them.',
    });
  return items;
};

/** The service in a sentence, by the status that it gives itself. */
export const READINESS = {
  ready: 'The service is ready',
  late: 'The service answers, but it is late',
  unavailable: 'The service is not ready',
} as const;

/** What goes on though all is well needs no look. */
const needsLook = ({ tone }: Attention): boolean => tone !== 'info';

const HEALTH = { href: `${CONSOLE}/health`, step: 'Look' } as const;

const ofHealth = ({ checks, failure }: Health): Attention[] => {
  if (failure) return [{ ...HEALTH, tone: 'bad', state: 'Fails', title: 'The service', text: failure.message }];
  const failing = Object.entries(checks).filter(([, { ok }]) => !ok);
  return failing.map(([title, { problem: text = '' }]) => ({ ...HEALTH, tone: 'bad', state: 'Fails', title, text }));
};

const notesOf = ({ checks }: Health): Attention[] =>
  Object.entries(checks).flatMap(([title, { ok, note: text }]): Attention[] =>
    ok && text !== undefined ? [{ ...HEALTH, tone: 'info', state: 'Works', title, text }] : [],
  );

/** What cannot be read may be wrong. */
const unread = (title: string, path: string, { message: text }: Error): Attention => {
  const href = `${CONSOLE}${path}`;
  return { tone: 'bad', state: 'Not read', title, text, step: 'Look', href };
};

const ofRefused = (refused: number): Attention[] =>
  refused === 0
    ? []
    : [
        {
          tone: 'warn',
          state: 'Refused',
          step: 'Try again',
          href: `${CONSOLE}/ingest`,
          title: `${counted(refused, 'item')} of hubs and files`,
          text: 'The database did not take them; they are kept.',
        },
      ];

interface AttentionState {
  /** What is wrong, the worst first, and then what goes on. */
  readonly items: readonly Attention[];
  /** How many of them need a look. */
  readonly needy: number;
  /** undefined before the service has said it. */
  readonly status: Health['status'] | undefined;
  /** Whether all was read that may say that something is wrong. */
  readonly isKnown: boolean;
  /** Whether the history of the hub is still being read. */
  readonly isSyncing: boolean;
}

export const useAttention = (): AttentionState => {
  const health = useHealth(15_000);
  const operator = useApi('/operator/status', undefined, { enabled: may('operator'), every: 60_000 });
  const backlogs = useBacklogs();
  // While the service is away nothing else can be read, either.
  // Nothing else can be read then, either.
  const isAway = health?.status === 'unavailable';
  const items: Attention[] = [
    ...(health ? ofHealth(health) : []),
    ...(operator.error && !isAway ? [unread('The status of the service', '/jobs', operator.error)] : []),
    ...(backlogs.error && !isAway ? [unread('Your webhooks', '/webhooks', backlogs.error)] : []),
    ...(backlogs.data?.webhooks ?? []).flatMap(ofWebhook),
    ...ofRefused(operator.data?.refused_items ?? 0),
    ...(health ? notesOf(health) : []),
  ];
  return {
    items,
    needy: items.filter(needsLook).length,
    status: health?.status,
    isKnown:
      health !== undefined &&
      (!may('operator') || operator.data !== undefined) &&
      (!may('webhook') || backlogs.data !== undefined),
    isSyncing: health?.checks.ingest?.note !== undefined,
  };
};

export const AttentionList = ({ items, needy, isKnown }: AttentionState) => (
  <Card title="Needs attention">
    <div class="list">
      {needy === 0 && isKnown ? <div class="soft">Nothing does.</div> : null}
      {needy === 0 && !isKnown ? <Bones rows={1} /> : null}
      {items.map(({ tone, state, title, text, step, href }) => (
        <div key={`${state} ${title} ${href}`}>
          <Chip tone={tone}>{state}</Chip>
          <div class="grow">
            <b>{title}</b>
            <div class="soft small">{text}</div>
          </div>
          <a class="link small nowrap" href={href}>
            {step}
          </a>
        </div>
      ))}
    </div>
  </Card>
);
