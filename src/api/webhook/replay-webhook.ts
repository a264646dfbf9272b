import { invalidField } from '../../error.js';
import { findBefore, findTime } from '../../event/log-position.js';
import { MAX_FAILED, replayFailed, replayFrom } from '../../event/webhook/replay.js';
import { readWebhook } from '../../event/webhook/webhook.js';
import { WebhookReplayReqBody, WebhookReplayResponse } from '../../schema/event/webhook-log.js';
import { EXAMPLE_UUID } from '../../schema/example.js';
import { operation } from '../http/operation.js';
import type { Services } from '../http/service.js';

/** @returns the row of the log to begin with. @throws AppError `gone` if it was deleted because it is old */
const readStart = async (
  { from_event_id: id, from_time: time }: { readonly from_event_id?: string; readonly from_time?: string },
  { db }: Pick<Services, 'db'>,
): Promise<number> => {
  const before =
    time === undefined
      ? await findBefore(db, id ?? '', 'from_event_id')
      : await findTime(db, new Date(time), 'from_time');
  return before.logId + 1;
};

export const replayWebhook = operation({
  id: 'replay-webhook',
  method: 'POST',
  path: '/v2/social/webhook/replay/',
  tags: ['Webhook'],
  title: 'Send events again',
  summary: 'Own extension: send events to a webhook again, from an event or a time on, or those that were given up.',
  cost: { fixed: 100 },
  scope: 'webhook',
  body: WebhookReplayReqBody,
  bodyExample: { webhook_id: EXAMPLE_UUID, failed: true },
  bodyExampleNote: 'Put the id of a webhook of yours into `webhook_id`.',
  response: WebhookReplayResponse,
  errors: [400, 404, 410],
  handle: async ({ body, caller }, services) => {
    const { webhooks, reads, eventSender, searchPatterns: search } = services;
    const { webhook } = await readWebhook(webhooks, caller.appId, body.webhook_id);
    const given = [body.from_event_id, body.from_time, body.failed === true ? true : undefined];
    if (given.filter((one) => one !== undefined).length !== 1) {
      throw invalidField('from_event_id', 'Send exactly one of from_event_id, from_time and failed: true.');
    }
    if (!webhook.active) throw invalidField('webhook_id', 'The webhook is switched off: switch it on first.');
    if (body.failed === true) {
      const count = await replayFailed(webhooks, webhook);
      eventSender.pollNow();
      const more = count < MAX_FAILED ? '' : ' There may be more: send the same request again.';
      return { success: true, message: `${count} events are sent again.${more}`, count, next_event_id: null };
    }
    const start = await readStart(body, services);
    const { count, next } = await replayFrom({ ...webhooks, reads, search }, webhook, start);
    eventSender.pollNow();
    const next_event_id = next === undefined ? null : `${next}-0`;
    return { success: true, message: `${count} events are sent.`, count, next_event_id };
  },
});
