import type { PlanLimits } from '../billing/plan/limit.js';
import type { MasterKey } from '../config/secret.js';
import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { notFound } from '../error.js';
import { setHostWebhook } from '../miniapp/host-webhook.js';
import { type App, insertApp, updateApp } from '../store/access/app.js';
import { type Actor, actorColumns, insertAuditEntry } from '../store/access/audit-log.js';
import { selectOrganization } from '../store/access/organization.js';
import { deleteMiniApp, upsertMiniApp } from '../store/miniapp/mini-app.js';
import { deleteHostWebhook } from '../store/miniapp/webhook.js';
import { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from './key.js';
import { noOrganization } from './organization.js';

/** Where the notifications of an app's users are pushed to, and the key that seals the secret of the calls. */
export interface WebhookChange {
  readonly url: string;
  readonly masterKey: MasterKey;
}

export interface ChangedApp {
  readonly app: App;
  /** What calls to a webhook that was set are signed with: shown this once, stored sealed. */
  readonly webhookSecret: string | undefined;
}

const setWebhook = (session: Session, appId: string, { url, masterKey }: WebhookChange, now: Date): Promise<string> =>
  setHostWebhook(session, masterKey, { appId, url, now });

const logAppChange = (
  session: Session,
  { id, organizationId }: App,
  entry: { action: string; detail: object; actor: Actor | undefined; now: Date },
): Promise<void> =>
  insertAuditEntry(session, {
    ...actorColumns(entry.actor),
    organizationId,
    action: entry.action,
    detail: { appId: id, ...entry.detail },
    at: entry.now,
  });

/**
 * @param options `organizationId` is the default organization unless given; `fid` is the app's account, which need not be
 *   stored yet
 * @throws AppError 'invalid' for a webhook URL that is not allowed, 'not_found' for an unknown organization,
 *   'payment_required' if its plan has no room for another app
 */
export const makeApp = async (
  db: Database,
  options: {
    readonly name: string;
    readonly organizationId?: string;
    readonly fid?: number;
    readonly webhook?: WebhookChange;
    /** How many apps the organization may have; absent: any number. */
    readonly limits?: PlanLimits;
    readonly actor?: Actor;
    readonly now: Date;
  },
): Promise<ChangedApp> => {
  const { name, organizationId = DEFAULT_ORGANIZATION_ID, fid, webhook, limits, actor, now } = options;
  // A store that no service has started on yet lacks the organization.
  await ensureDefaultAccess(db, undefined, now);
  return db.transaction(async (session) => {
    if ((await selectOrganization(session, organizationId)) === undefined) throw noOrganization(organizationId);
    await limits?.requireApp(session, organizationId);
    const owned = { organizationId, name, ...(fid === undefined ? {} : { fid }) };
    const app = (await insertApp(session, owned)) as App;
    await logAppChange(session, app, { action: 'app.made', detail: owned, actor, now });
    return { app, webhookSecret: webhook && (await setWebhook(session, app.id, webhook, now)) };
  });
};

/**
 * Changes an app; running services apply it within a second.
 *
 * @param change absent members remain unchanged; null removes the account, the mini app, or the webhook with
 *   its queue
 * @throws AppError 'not_found' for an unknown app, 'invalid' for a webhook URL that is not allowed
 */
export const changeApp = (
  db: Database,
  change: {
    readonly id: string;
    readonly name?: string;
    readonly fid?: number | null;
    /** Domains that its users may sign in to, in lower case; none: any domain. */
    readonly signInDomains?: readonly string[];
    /** Origins of pages that may read with its id, as `readOrigin` returns them; none: no page. */
    readonly browserOrigins?: readonly string[];
    /** Domain of its mini app, as `readDomain` returns it. */
    readonly miniAppDomain?: string | null;
    readonly webhook?: WebhookChange | null;
    readonly actor?: Actor;
    readonly now: Date;
  },
): Promise<ChangedApp> =>
  db.transaction(async (session) => {
    const { id, miniAppDomain, webhook, actor, now, ...columns } = change;
    const app = await updateApp(session, id, columns);
    if (app === undefined) throw notFound(`There is no app ${id}: \`castellan app list\` shows all.`, 'app');
    const detail = {
      ...columns,
      ...(miniAppDomain === undefined ? {} : { miniAppDomain }),
      ...(webhook === undefined ? {} : { webhook: webhook?.url ?? null }),
    };
    await logAppChange(session, app, { action: 'app.changed', detail, actor, now });
    if (miniAppDomain === null) await deleteMiniApp(session, app.id);
    else if (miniAppDomain !== undefined) await upsertMiniApp(session, app.id, miniAppDomain);
    if (webhook === null) await deleteHostWebhook(session, app.id);
    return { app, webhookSecret: webhook ? await setWebhook(session, app.id, webhook, now) : undefined };
  });
