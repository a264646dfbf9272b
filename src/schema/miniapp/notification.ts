import Type from 'typebox';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';

/** Request of a mini app's server (Mini App specification, "Sending notifications"; @farcaster/miniapp-core). */
export const SendNotificationReqBody = Type.Object({
  notificationId: Type.String({ minLength: 1, maxLength: 128 }),
  title: Type.String({ minLength: 1, maxLength: 32 }),
  body: Type.String({ minLength: 1, maxLength: 128 }),
  targetUrl: Type.String({ maxLength: 1024, description: 'On the domain that the tokens are for.' }),
  tokens: Type.Array(Type.String({ maxLength: 256 }), { minItems: 1, maxItems: 100 }),
});

export const SendNotificationResponse = Type.Object({
  result: Type.Object({
    successfulTokens: Type.Array(Type.String()),
    invalidTokens: Type.Array(Type.String(), { description: 'They will never work again.' }),
    rateLimitedTokens: Type.Array(Type.String()),
    failedTokens: Type.Array(Type.String(), {
      description: 'Own extension: they work, but not for this domain, or not yet.',
    }),
  }),
});

/** Own extension: the notifications that a host app shows to its user. */
export const AppHostNotificationsResponse = Type.Object({
  notifications: Type.Array(
    Type.Object({
      object: stringEnum(['app_host_notification']),
      id: Type.String({ format: 'uuid' }),
      domain: Type.String(),
      notification_id: Type.String({ description: "The mini app's own id." }),
      title: Type.String(),
      body: Type.String(),
      target_url: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
    }),
  ),
  next: NextCursor,
});
