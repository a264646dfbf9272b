import { targetError } from '../../delivery/target.js';
import { invalidField } from '../../error.js';
import { domainOf } from '../../miniapp/domain.js';
import { notifyUsers } from '../../miniapp/notify.js';
import { SendNotificationReqBody, SendNotificationResponse } from '../../schema/miniapp/notification.js';
import { operation } from '../http/operation.js';
import { NOTIFY_PATH } from './notify-url.js';

export const appHostNotify = operation({
  id: 'app-host-notify',
  method: 'POST',
  path: NOTIFY_PATH,
  tags: ['App Host'],
  title: 'Notify users of a mini app',
  summary: 'Take a notification of a mini app for users of app hosts; the tokens are the credential.',
  cost: { fixed: 0 },
  scope: 'public',
  waitsOutside: true,
  limitsAddresses: true,
  body: SendNotificationReqBody,
  bodyExample: {
    notificationId: 'daily-2026-11-22',
    title: 'Your move',
    body: 'Somebody answered you.',
    targetUrl: 'https://mini-app.example/game/1',
    tokens: ['TOKEN'],
  },
  bodyExampleNote: 'Put tokens that the mini app was given into `tokens`.',
  response: SendNotificationResponse,
  errors: [400, 500],
  handle: async ({ body }, { db, clock, outbound, pushOutbox }) => {
    const { tokens, targetUrl, ...rest } = body;
    const url = URL.canParse(targetUrl) ? new URL(targetUrl) : undefined;
    const fault = url ? targetError(url, outbound) : 'is not a URL.';
    if (!url || fault !== undefined) throw invalidField('targetUrl', `targetUrl ${fault}`);
    // Uses the parsed URL, because parsers disagree about the domain of texts like `https://a.example\@b.example/`.
    const notification = { ...rest, domain: domainOf(url), targetUrl: url.href };
    const result = await notifyUsers(db, notification, tokens, clock());
    if (result.successfulTokens.length > 0) pushOutbox.pollNow();
    return { result };
  },
});
