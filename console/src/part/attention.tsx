import { CONSOLE } from '../api/base.js';
import type { ResponseOf } from '../api/client.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { type Backlog, useBacklogs } from './backlog.js';
import { webhookPath } from './link.js';
import { Card, Chip, type Tone } from './page.js';
import { counted, formatAgo } from './text.js';

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
  const { title, active, dead, waiting } = one;
  const href = webhookPath(one.webhook_id);
  const items: Attention[] = [];
  if (!active)
    items.push({
      ...{ tone: 'warn', state: 'Off', title, href, step: 'Turn it on' },
      text: one.inactive_reason ?? 'This webhook gets no events.',
    });
  else if (one.failing_since !== null)
    items.push({
      ...{ tone: 'bad', state: 'Fails', title, href, step: 'See why' },
      text: `Its receiver takes nothing for ${formatAgo(new Date(one.failing_since), new Date())}; ${counted(waiting, 'event waits', 'events wait')}.`,
    });
  if (dead > 0)
    items.push({
      ...{ tone: 'bad', state: 'Gave up', href, step: 'Replay' },
      title: `${counted(dead, 'event')} of ${title}`,
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

type Status = ResponseOf<'/health/ready', 'get'>['status'];

/** @returns what is wrong, the worst first; `status` is undefined before the service has said it */
export const useAttention = (): { readonly items: readonly Attention[]; readonly status: Status | undefined } => {
  const { data: ready } = useApi('/health/ready', undefined, { every: 15_000 });
  const { data: status } = useApi('/operator/status', undefined, { enabled: may('operator'), every: 60_000 });
  const { data: backlogs } = useBacklogs();
  const refused = status?.refused_items ?? 0;
  const checks = Object.entries(ready?.checks ?? {});
  const failing = checks.filter(([, { ok }]) => !ok);
  const health = { href: `${CONSOLE}/health`, step: 'Look' };
  const items: Attention[] = [
    ...failing.map(
      ([title, { problem: text = '' }]): Attention => ({ ...health, tone: 'bad', state: 'Fails', title, text }),
    ),
    ...(backlogs?.webhooks ?? []).flatMap(ofWebhook),
    ...(refused > 0
      ? [
          {
            ...{ tone: 'warn', state: 'Refused', step: 'Try again', href: `${CONSOLE}/ingest` },
            title: `${counted(refused, 'item')} of hubs and files`,
            text: 'The database did not take them; they are kept.',
          } satisfies Attention,
        ]
      : []),
    ...checks.flatMap(([title, { ok, note: text }]): Attention[] =>
      ok && text !== undefined ? [{ ...health, tone: 'info', state: 'Works', title, text }] : [],
    ),
  ];
  return { items, status: ready?.status };
};

export const AttentionList = ({ items }: { readonly items: readonly Attention[] }) => (
  <Card title="Needs attention">
    <div class="list">
      {items.length === 0 ? <div class="soft">Nothing does.</div> : null}
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
