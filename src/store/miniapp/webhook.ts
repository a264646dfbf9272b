import { writeQuery } from '../query-function.js';
import { upsertText } from '../table.js';

const OTHERS = ['url', 'sealed_secret', 'created_at'] as const;

/**
 * Sets the webhook of an app, instead of the previous one: the address of its own server, and the secret that calls to it
 * are signed with, sealed for `HOST_WEBHOOK_SEAL`.
 */
export const upsertHostWebhook = writeQuery(
  'upsert_host_webhook',
  upsertText('host_webhook', ['app_id'], OTHERS),
).done();

/** Deletes the webhook of an app and the pending calls to it. */
export const deleteHostWebhook = writeQuery(
  'delete_host_webhook',
  'delete from host_webhook where app_id = :appId',
).done((appId: string) => ({ appId }));

/** @returns those of the apps that have a webhook, locked until the transaction ends. */
export const selectAppsWithWebhook = writeQuery(
  'select_apps_with_webhook',
  `select app_id as "appId" from host_webhook where app_id = any(:appIds::uuid[]) order by app_id for key share`,
).columnSet('appId', (appIds: readonly string[]) => ({ appIds }));
