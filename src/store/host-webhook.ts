import type { Session } from './database.js';

/** Address of a host app's own server, and what calls to it are signed with. */
export interface HostWebhook {
  readonly appId: string;
  readonly url: string;
  /** Sealed for `HOST_WEBHOOK_SEAL`, bound to the app's id. */
  readonly sealedSecret: Uint8Array;
  readonly createdAt: Date;
}

/** Sets the webhook of an app, in the place of the one before. */
export const upsertHostWebhook = async (session: Session, webhook: HostWebhook): Promise<void> => {
  await session.run(
    `insert into host_webhook (app_id, url, sealed_secret, created_at) values ($1, $2, $3, $4)
     on conflict (app_id) do update
       set url = excluded.url, sealed_secret = excluded.sealed_secret, created_at = excluded.created_at`,
    [webhook.appId, webhook.url, webhook.sealedSecret, webhook.createdAt],
  );
};

/** Takes the webhook of an app away, and what was on its way there. */
export const deleteHostWebhook = async (session: Session, appId: string): Promise<void> => {
  await session.run('delete from host_webhook where app_id = $1', [appId]);
};

/** @returns those of the apps that have a webhook, and keep it until the transaction ends. */
export const selectAppsWithWebhook = async (session: Session, appIds: readonly string[]): Promise<Set<string>> => {
  const rows = await session.run<{ appId: string }>(
    `select app_id as "appId" from host_webhook where app_id = any($1::uuid[]) order by app_id for key share`,
    [appIds],
  );
  return new Set(rows.map(({ appId }) => appId));
};
