import { useApi } from '../api/query.js';
import type { components } from '../api/schema.js';
import { CopyButton } from './copy.js';
import { webhookPath } from './link.js';
import { Card, Chip } from './page.js';
import { Empty } from './state.js';
import { counted } from './text.js';
import { Time } from './time.js';

type Received = components['schemas']['WebhookInboxRequest'];

/** @returns the type of the event; undefined for a body that is none */
const typeOf = (body: string): string | undefined => {
  try {
    return (JSON.parse(body) as { readonly type?: string }).type;
  } catch {
    return undefined;
  }
};

const indent = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
};

const Row = ({ one }: { readonly one: Received }) => (
  <details>
    <summary>
      <span class="mono grow">{typeOf(one.body) ?? 'No event'}</span>
      <Chip tone={one.webhook_id === null ? 'bad' : 'ok'}>
        {one.webhook_id === null ? 'Signature does not check' : 'Signature checks'}
      </Chip>
      <Time at={one.received_at} />
    </summary>
    <div class="facts">
      {one.webhook_id === null ? (
        <p class="soft small">
          No secret of your webhooks made this signature: something else sent it, or the webhook was deleted.
        </p>
      ) : (
        <p class="soft small">
          HMAC-SHA512 of the body with the secret of{' '}
          <a class="link" href={webhookPath(one.webhook_id)}>
            {one.webhook_title}
          </a>
        </p>
      )}
      <pre class="pre">
        {Object.entries(one.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </pre>
      <pre class="pre">{indent(one.body)}</pre>
      <CopyButton text={one.body} label="Copy the body" />
    </div>
  </details>
);

/** What webhooks sent to the service itself, in development. */
export const Inbox = ({ url }: { readonly url: string }) => {
  const requests = useApi('/portal/webhook-inbox', undefined, { every: 2_000 }).data?.requests ?? [];
  return (
    <Card
      title={requests.length === 0 ? 'Received here' : `Received here: ${counted(requests.length, 'request')}`}
      aside={<CopyButton text={url} label="Copy the address" />}
    >
      {requests.length === 0 ? (
        <Empty title="Nothing was received yet">
          Without a receiver of your own, send a webhook to this service: its requests show here, with headers, body,
          and whether the signature checks. The newest 100 stay until the service ends.
        </Empty>
      ) : (
        <div class="inbox">
          {requests.map((one) => (
            <Row key={`${one.received_at} ${one.headers['x-service-delivery']}`} one={one} />
          ))}
        </div>
      )}
    </Card>
  );
};
