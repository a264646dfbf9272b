import { execute, type Session, sql } from '../../db/statement.js';

/** Address of a host app's own server, and the secret that calls to it are signed with. */
export interface HostWebhook {
  readonly appId: string;
  readonly url: string;
  /** Sealed for `HOST_WEBHOOK_SEAL`, bound to the app's id. */
  readonly sealedSecret: Uint8Array;
  readonly createdAt: Date;
}

const upsertHostWebhookSql = sql(
  'upsert_host_webhook',
  `insert into host_webhook (app_id, url, sealed_secret, created_at) values ($1, $2, $3, $4)
    on conflict (app_id) do update
      set url = excluded.url, sealed_secret = excluded.sealed_secret, created_at = excluded.created_at`,
);

/** Sets the webhook of an app, instead of the previous one. */
export const upsertHostWebhook = (session: Session, webhook: HostWebhook): Promise<void> =>
  execute(session, upsertHostWebhookSql, [webhook.appId, webhook.url, webhook.sealedSecret, webhook.createdAt]);

const deleteHostWebhookSql = sql('delete_host_webhook', 'delete from host_webhook where app_id = $1');

/** Deletes the webhook of an app and the pending calls to it. */
export const deleteHostWebhook = (session: Session, appId: string): Promise<void> =>
  execute(session, deleteHostWebhookSql, [appId]);

const selectAppsWithWebhookSql = sql<{ appId: string }>(
  'select_apps_with_webhook',
  `select app_id as "appId" from host_webhook where app_id = any($1::uuid[]) order by app_id for key share`,
);

/** @returns those of the apps that have a webhook, locked until the transaction ends. */
export const selectAppsWithWebhook = async (session: Session, appIds: readonly string[]): Promise<Set<string>> => {
  const rows = await session.run(selectAppsWithWebhookSql, [appIds]);
  return new Set(rows.map(({ appId }) => appId));
};
