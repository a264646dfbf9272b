import { readFilters } from '../../event/filter.js';
import { eventId } from '../../event/position.js';
import { previewFilters } from '../../event/webhook/preview.js';
import { WebhookPreviewReqBody, WebhookPreviewResponse } from '../../schema/event/webhook-preview.js';
import { operation } from '../http/operation.js';

const MAX_SHOWN = 5;

export const previewWebhook = operation({
  id: 'preview-webhook',
  method: 'POST',
  path: '/portal/webhook-preview',
  tags: ['portal'],
  title: 'Preview the filters of a webhook',
  summary: 'Compare filters with the newest events, before a webhook is made with them. Nothing is stored or sent.',
  cost: { fixed: 0 },
  scope: 'webhook',
  needsApp: true,
  body: WebhookPreviewReqBody,
  bodyExample: { subscription: { 'cast.created': { text: '(?i)tomato' } } },
  response: WebhookPreviewResponse,
  errors: [400, 403],
  handle: async ({ body, caller }, { db, reads, searchPatterns: search }) => {
    const filters = readFilters(body.subscription);
    const { compared, matches } = await previewFilters({ db, reads, search }, caller.appId, filters);
    return {
      compared,
      matches: matches.length,
      events: matches.slice(0, MAX_SHOWN).map((event) => ({
        event_id: eventId(event),
        type: event.type,
        at: event.at.toISOString(),
        fid: event.fid,
        cast_hash: 'hash' in event ? `0x${event.hash}` : null,
        text: 'text' in event ? event.text : null,
      })),
    };
  },
});
