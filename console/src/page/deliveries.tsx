import { usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { formatDeliveries } from '../part/backlog.js';
import { More } from '../part/more.js';
import { Card, Chip, Page, Wide } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';
import { Time } from '../part/time.js';

type Failing = components['schemas']['FailingWebhooksResponse']['webhooks'][number];

const State = ({ one }: { readonly one: Failing }) =>
  one.active ? (
    <Chip tone={one.failing_since === null ? 'warn' : 'bad'}>{one.failing_since === null ? 'Gave up' : 'Fails'}</Chip>
  ) : (
    <Chip tone="warn">Off</Chip>
  );

const Row = ({ one }: { readonly one: Failing }) => (
  <tr>
    <td>
      <State one={one} />
    </td>
    <td>
      <b>{one.title}</b>
      <div class="faint small">{one.host}</div>
    </td>
    <td>
      {one.organization.name}
      <div class="faint small">{one.app.name}</div>
    </td>
    <td>
      {one.failing_since === null ? null : <Time at={one.failing_since} />}
      {one.inactive_reason === null ? null : <div class="soft small">{one.inactive_reason}</div>}
    </td>
    <td class={`num${one.waiting === 0 ? ' faint' : ''}`}>{formatDeliveries(one.waiting)}</td>
    <td class={`num${one.dead === 0 ? ' faint' : ''}`}>{formatDeliveries(one.dead)}</td>
  </tr>
);

/** Webhooks of all organizations that someone has to look at. */
export const Deliveries = () => {
  const read = usePages('/operator/webhooks', { limit: 50 });
  const webhooks = read.data?.pages.flatMap((page) => page.webhooks) ?? [];
  const title =
    webhooks.length === 0
      ? 'All webhooks deliver'
      : `${counted(webhooks.length, 'webhook')}${read.hasNextPage ? ' and more' : ''} ${webhooks.length === 1 ? 'does' : 'do'} not deliver`;
  return (
    <Page
      title={read.data ? title : 'Deliveries'}
      note="Of all organizations: receivers that fail, webhooks that were switched off, and events that were given up."
    >
      <Card title="Webhooks">
        <Loading read={read} what="The webhooks" rows={2}>
          {() =>
            webhooks.length === 0 ? (
              <Empty title="No webhook fails">
                One whose receiver takes nothing shows here. Its organization sees why on its own page, and sends the
                events again once the receiver is mended.
              </Empty>
            ) : (
              <Wide label="Webhooks that do not deliver">
                <table>
                  <thead>
                    <tr>
                      <th>State</th>
                      <th>Webhook</th>
                      <th>Organization</th>
                      <th>Fails since</th>
                      <th class="num">Waiting</th>
                      <th class="num">Given up</th>
                    </tr>
                  </thead>
                  <tbody>
                    {webhooks.map((one) => (
                      <Row key={one.webhook_id} one={one} />
                    ))}
                  </tbody>
                </table>
                <More pages={read} />
              </Wide>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
