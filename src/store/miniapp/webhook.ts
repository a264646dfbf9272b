import { writeQuery } from '../query-function.js';
import { type Camel, upsertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * Address of a host app's own server, and the secret that calls to it are signed with, sealed for `HOST_WEBHOOK_SEAL`.
 */
type HostWebhook = Camel<Written<Tables['host_webhook']>>;

const OTHERS = ['url', 'sealed_secret', 'created_at'] as const;

/** Sets the webhook of an app, instead of the previous one. */
export const upsertHostWebhook = writeQuery('upsert_host_webhook', upsertText('host_webhook', ['app_id'], OTHERS)).done(
  (webhook: HostWebhook) => valuesOf(['app_id', ...OTHERS], webhook),
);

/** Deletes the webhook of an app and the pending calls to it. */
export const deleteHostWebhook = writeQuery('delete_host_webhook', 'delete from host_webhook where app_id = $1').done(
  (appId: string) => [appId],
);

/** @returns those of the apps that have a webhook, locked until the transaction ends. */
export const selectAppsWithWebhook = writeQuery<{ appId: string }>(
  'select_apps_with_webhook',
  `select app_id as "appId" from host_webhook where app_id = any($1::uuid[]) order by app_id for key share`,
).columnSet('appId', (appIds: readonly string[]) => [appIds]);
