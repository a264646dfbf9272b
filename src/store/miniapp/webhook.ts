import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, upsertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * Address of a host app's own server, and the secret that calls to it are signed with, sealed for `HOST_WEBHOOK_SEAL`.
 */
type HostWebhook = Camel<Written<Tables['host_webhook']>>;

const OTHERS = ['url', 'sealed_secret', 'created_at'] as const;

const upsertHostWebhookSql = sql('upsert_host_webhook', upsertText('host_webhook', ['app_id'], OTHERS));

/** Sets the webhook of an app, instead of the previous one. */
export const upsertHostWebhook = (session: Session, webhook: HostWebhook): Promise<void> =>
  execute(session, upsertHostWebhookSql, valuesOf(['app_id', ...OTHERS], webhook));

const deleteHostWebhookSql = sql('delete_host_webhook', 'delete from host_webhook where app_id = $1');

/** Deletes the webhook of an app and the pending calls to it. */
export const deleteHostWebhook = (session: Session, appId: string): Promise<void> =>
  execute(session, deleteHostWebhookSql, [appId]);

const selectAppsWithWebhookSql = sql<{ appId: string }>(
  'select_apps_with_webhook',
  `select app_id as "appId" from host_webhook where app_id = any($1::uuid[]) order by app_id for key share`,
);

/** @returns those of the apps that have a webhook, locked until the transaction ends. */
export const selectAppsWithWebhook = async (session: Session, appIds: readonly string[]): Promise<Set<string>> =>
  new Set((await session.run(selectAppsWithWebhookSql, [appIds])).map(({ appId }) => appId));
