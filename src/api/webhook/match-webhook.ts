import Type from 'typebox';
import { notFound } from '../../error.js';
import { explainCastMatch } from '../../event/webhook/cast-match.js';
import { readWebhook } from '../../event/webhook/webhook.js';
import { WebhookMatchResponse } from '../../schema/event/webhook-log.js';
import { EXAMPLE_HASH } from '../../schema/example.js';
import { castHash, storedHash } from '../cast/cast-hash.js';
import { operation } from '../http/operation.js';

export const matchWebhook = operation({
  id: 'match-webhook',
  path: '/v2/social/webhook/match/',
  tags: ['Webhook'],
  title: 'Explain a match',
  summary: 'Own extension: tell filter by filter why a webhook is told of a cast or not.',
  cost: { fixed: 4 },
  scope: 'webhook',
  query: Type.Object({
    webhook_id: Type.String(),
    hash: castHash,
    type: Type.Enum(['cast.created', 'cast.deleted'], { type: 'string', default: 'cast.created' }),
  }),
  parameters: {
    hash: { description: 'Hash of the cast, 0x and 40 hex digits.', example: EXAMPLE_HASH.root },
    type: { description: 'The event of the cast that is explained.', example: 'cast.created' },
  },
  response: WebhookMatchResponse,
  errors: [400, 404],
  handle: async ({ query, caller }, { webhooks, reads, db, searchPatterns: search }) => {
    const { webhook } = await readWebhook(webhooks, caller.appId, query.webhook_id);
    const hash = storedHash(query.hash);
    const report = await explainCastMatch({ db, read: reads.open(), search }, webhook, { hash, type: query.type });
    if (report === undefined) throw notFound(`No cast with the hash ${query.hash} is stored.`, 'hash');
    return { webhook_id: webhook.id, active: webhook.active, ...report };
  },
});
