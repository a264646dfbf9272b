import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { write } from '../api/client.js';
import { refresh, useApi, usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { DangerousAction, Problem, useAction } from '../part/action.js';
import { BACKLOGS } from '../part/backlog.js';
import { CopyButton } from '../part/copy.js';
import { More } from '../part/more.js';
import { Card, Chip, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted, formatNumber } from '../part/text.js';
import { Time } from '../part/time.js';

type Attempt = components['schemas']['WebhookAttempt'];
type Webhook = components['schemas']['Webhook'];

const LIST = '/v2/social/webhook/list/';
const ATTEMPTS = '/v2/social/webhook/deliveries/';

/** @returns what became of the newest attempt of each delivery */
const sentenceOf = (attempts: readonly Attempt[]): string => {
  if (attempts.length === 0) return 'Nothing was sent yet';
  const last = new Map<string, Attempt>();
  for (const attempt of attempts) if (!last.has(attempt.delivery_id)) last.set(attempt.delivery_id, attempt);
  const failing = [...last.values()].filter(({ error }) => error !== null);
  if (failing.length === 0) return 'The receiver takes everything';
  const [newest] = failing;
  return `${counted(failing.length, 'event')} did not arrive: ${newest?.error}`;
};

const Attempts = ({ list }: { readonly list: readonly Attempt[] }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          <th>When</th>
          <th>Event</th>
          <th class="num">Attempt</th>
          <th>Result</th>
          <th class="num">Time</th>
        </tr>
      </thead>
      <tbody>
        {list.map((one) => (
          <tr key={`${one.delivery_id} ${one.attempt} ${one.attempted_at}`}>
            <td>
              <Time at={one.attempted_at} />
            </td>
            <td class="mono">{one.type}</td>
            <td class="num">{one.attempt}</td>
            <td>
              <Chip tone={one.error === null ? 'ok' : 'bad'}>{one.error === null ? 'Delivered' : 'Failed'}</Chip>{' '}
              <span class="soft small">
                {one.status ?? ''} {one.error ?? ''}
              </span>
            </td>
            <td class="num">{formatNumber(one.latency_ms)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Actions = ({ webhook }: { readonly webhook: Webhook }) => {
  const { run, isBusy, error } = useAction();
  const [said, setSaid] = useState<string>();
  const id = webhook.webhook_id;
  const test = () =>
    run(async () => {
      const {
        success,
        status,
        error: reason,
      } = await write('post', '/v2/social/webhook/test/', {
        webhook_id: id,
        type: 'cast.created',
      });
      setSaid(success ? `The receiver answered with ${status}.` : `The test did not arrive: ${reason}`);
      await refresh(ATTEMPTS, BACKLOGS);
    });
  const replay = () =>
    run(async () => {
      const { message } = await write('post', '/v2/social/webhook/replay/', { webhook_id: id, failed: true });
      setSaid(message);
      await refresh(ATTEMPTS, BACKLOGS);
    });
  const flip = () =>
    run(async () => {
      await write('patch', '/v2/social/webhook/', {
        webhook_id: id,
        active: webhook.active ? 'false' : 'true',
      } as never);
      await refresh(LIST, BACKLOGS);
    });
  return (
    <>
      <div class="row">
        <button type="button" class="button" disabled={isBusy} onClick={() => void test()}>
          Send a test event
        </button>
        <button type="button" class="button first" disabled={isBusy} onClick={() => void replay()}>
          Replay what failed
        </button>
        <button type="button" class="button" disabled={isBusy} onClick={() => void flip()}>
          {webhook.active ? 'Turn it off' : 'Turn it on'}
        </button>
      </div>
      <Problem text={error} />
      {said ? (
        <p class="soft" role="status">
          {said}
        </p>
      ) : null}
    </>
  );
};

/** One webhook: what arrived, what did not, and what can be done. */
export const WebhookPage = () => {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const list = useApi(LIST, undefined, { every: 10_000 });
  const attempts = usePages(ATTEMPTS, { webhook_id: id, limit: 50 });
  const webhook = list.data?.webhooks.find(({ webhook_id: one }) => one === id);
  const tried = attempts.data?.pages.flatMap((page) => page.attempts) ?? [];
  const secret = webhook?.secrets?.[0]?.value;
  const remove = async () => {
    await write('delete', '/v2/social/webhook/', { webhook_id: id });
    await refresh(LIST, BACKLOGS);
    route(`${CONSOLE}/webhooks`);
  };
  return (
    <Page
      title={attempts.data ? sentenceOf(tried) : (webhook?.title ?? 'Webhook')}
      note={webhook ? `${webhook.title}, to ${webhook.target_url}. It is ${webhook.active ? 'on' : 'off'}.` : undefined}
    >
      <Loading read={list} what="The webhook" rows={2}>
        {() =>
          webhook === undefined ? (
            <Card>
              <Empty title="There is no such webhook">It was deleted, or belongs to another app.</Empty>
            </Card>
          ) : (
            <Actions webhook={webhook} />
          )
        }
      </Loading>
      <Card
        title="Attempts"
        aside={
          <button type="button" class="button" onClick={() => void refresh(ATTEMPTS)}>
            Read again
          </button>
        }
      >
        <Loading read={attempts} what="The attempts">
          {() =>
            tried.length === 0 ? (
              <Empty title="No attempt yet">
                Events show here as they are sent. A test event shows at once whether the receiver answers.
              </Empty>
            ) : (
              <>
                <Attempts list={tried} />
                <More pages={attempts} />
              </>
            )
          }
        </Loading>
      </Card>
      {webhook ? (
        <Card title="What it is told">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
          <pre class="pre" tabIndex={0}>
            {JSON.stringify(webhook.subscription?.filters ?? {}, undefined, 2)}
          </pre>
          <div class="row pad">
            {secret ? <CopyButton text={secret} label="Copy the secret of its signatures" /> : null}
            <DangerousAction label="Delete" effect="Its attempts go, too." name={webhook.title} work={remove} />
          </div>
        </Card>
      ) : null}
    </Page>
  );
};
