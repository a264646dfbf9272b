import { usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { More } from './more.js';
import { Chip, type Tone, Wide } from './page.js';
import { Empty, Loading } from './state.js';
import { formatNumber } from './text.js';
import { Time } from './time.js';

type Campaign = components['schemas']['NotificationCampaign'];

export const CAMPAIGNS = '/v2/social/frame/notifications/';
const STATES: Readonly<Record<NonNullable<Campaign['status']>, readonly [tone: Tone, words: string]>> = {
  queued: ['info', 'Waits'],
  running: ['info', 'Is sent'],
  completed: ['ok', 'Sent'],
  failed: ['bad', 'Failed'],
  canceled: ['plain', 'Cancelled'],
};

/** @returns failures by reason: `3 rate_limited, 1 status 500` */
const failuresOf = ({ stats: { error_breakdown: errors } }: Campaign): string =>
  [
    ...Object.entries(errors.delivery_errors ?? {}).map(([reason, count]) => `${count} ${reason}`),
    ...Object.entries(errors.http_errors ?? {}).map(([status, count]) => `${count} status ${status}`),
  ].join(', ');

const countFailures = ({ stats: { error_breakdown: errors } }: Campaign): number =>
  [...Object.values(errors.delivery_errors ?? {}), ...Object.values(errors.http_errors ?? {})].reduce(
    (sum, count) => sum + count,
    0,
  );

const Row = ({ one }: { readonly one: Campaign }) => {
  const [tone, words] = STATES[one.status ?? 'queued'];
  const failed = countFailures(one);
  const { stats } = one;
  const opens = stats.unique_opens;
  return (
    <tr>
      <td>
        <b>{one.title}</b>
        <div class="soft small cut">{one.body}</div>
      </td>
      <td>
        <Chip tone={tone}>{words}</Chip>
      </td>
      <td class="num">{formatNumber(stats.intended_recipient_notification_token_count)}</td>
      <td class="num">{formatNumber(stats.successful_sends)}</td>
      <td class={`num${failed === 0 ? ' faint' : ''}`}>
        {formatNumber(failed)}
        <div class="soft small">{failuresOf(one)}</div>
      </td>
      <td class={`num${opens === 0 ? ' faint' : ''}`}>{formatNumber(opens)}</td>
      <td>
        <Time at={one.created_at} />
      </td>
    </tr>
  );
};

/** Notifications that the mini app of the app sent, and what became of them. */
export const Campaigns = () => {
  const read = usePages(CAMPAIGNS, { limit: 50 });
  return (
    <Loading read={read} what="The notifications">
      {({ pages }) =>
        pages[0]?.notificationCampaigns.length === 0 ? (
          <Empty
            title="Nobody was notified yet"
            request={`-H 'content-type: application/json' -d '{"notification":{"title":"Your move","body":"Somebody answered you.","target_url":"https://miniapp.example/"}}' $URL/v2/social/frame/notifications/`}
          >
            A notification goes to the users who allowed it, through their hosts, and opens a page of the mini app.
          </Empty>
        ) : (
          <Wide label="Notifications">
            <table>
              <thead>
                <tr>
                  <th>Notification</th>
                  <th>State</th>
                  <th class="num">Users</th>
                  <th class="num">Sent</th>
                  <th class="num">Failed</th>
                  <th class="num">Opened by</th>
                  <th>When</th>
                </tr>
              </thead>
              <tbody>
                {pages.flatMap((page) => page.notificationCampaigns.map((one) => <Row key={one.id} one={one} />))}
              </tbody>
            </table>
            <More pages={read} />
          </Wide>
        )
      }
    </Loading>
  );
};
