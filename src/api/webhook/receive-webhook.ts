import { timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import { signatureOf } from '../../delivery/signature.js';
import { AppError } from '../../error.js';
import { listWebhooks, type OwnWebhook } from '../../event/webhook/webhook.js';
import { OperationResponse } from '../../schema/operation.js';
import { type Dialect, wireName } from '../../schema/wire-names.js';
import { operation, signedJson } from '../http/operation.js';

/** Headers of the connection or of the caller, which are not shown. */
const OMITTED_HEADERS = new Set([
  'connection',
  'host',
  'content-length',
  'accept-encoding',
  'cookie',
  'authorization',
  'x-api-key',
]);

type Headers = Readonly<Record<string, string>>;

const isSigned = ({ webhook, secrets }: OwnWebhook, headers: Headers, body: string): boolean => {
  const given = Buffer.from(headers[wireName('x-service-signature', webhook.dialect as Dialect)] ?? '');
  return secrets.some(({ value }) => {
    const made = Buffer.from(signatureOf(value, body));
    return made.length === given.length && timingSafeEqual(made, given);
  });
};

export const receiveWebhook = operation({
  id: 'receive-webhook',
  method: 'POST',
  path: '/portal/webhook-inbox/:app_id',
  tags: ['portal'],
  title: 'Receive an event in development',
  summary: 'In development: be the receiver of a webhook. `GET /portal/webhook-inbox` shows what came.',
  cost: { fixed: 0 },
  scope: 'public',
  params: Type.Object({ app_id: Type.String({ format: 'uuid', description: 'The app whose webhook it is.' }) }),
  body: signedJson,
  bodyExample: { type: 'cast.created', data: {} },
  bodyExampleNote: 'The service itself sends it, to a webhook with this address.',
  response: OperationResponse,
  errors: [400, 501],
  handle: async ({ params, body, headers: given }, { webhookInbox, webhooks, clock }) => {
    if (webhookInbox === undefined) {
      const message = 'Only a development service (castellan dev) receives what its webhooks send.';
      throw new AppError('not_implemented', 'NotInDevelopment', message);
    }
    const headers = Object.fromEntries(
      Object.entries(given as Headers).filter(
        ([name, value]) => typeof value === 'string' && !OMITTED_HEADERS.has(name),
      ),
    );
    const own = await listWebhooks(webhooks, params.app_id);
    const webhook = own.find((one) => isSigned(one, headers, body))?.webhook;
    webhookInbox.add({
      appId: params.app_id,
      at: new Date(clock()),
      headers,
      body,
      webhook: webhook && { id: webhook.id, title: webhook.title },
    });
    return { success: true };
  },
});
