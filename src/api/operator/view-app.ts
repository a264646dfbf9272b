import { notFound } from '../../error.js';
import type { OperatorApp, OperatorKey } from '../../schema/operator/app.js';
import type { ApiKey } from '../../store/access/api-key.js';
import { selectApps } from '../../store/access/app.js';
import type { Services } from '../http/service.js';

type ListedApp = Awaited<ReturnType<typeof selectApps>>[number];

/** @returns an app as an operator sees it */
export const viewApp = (app: ListedApp): OperatorApp => ({
  uuid: app.id,
  organization_uuid: app.organizationId,
  name: app.name,
  fid: app.fid,
  origins: [...app.browserOrigins],
  sign_in_domains: [...app.signInDomains],
  miniapp_domain: app.miniAppDomain,
  created_at: app.createdAt.toISOString(),
});

/** @returns the response about one app. @throws AppError 'not_found' for an id that no app has */
export const appResponse = async ({ db }: Pick<Services, 'db'>, id: string) => {
  const [app] = await selectApps(db, { id, limit: 1 });
  if (app === undefined) throw notFound(`There is no app ${id}.`, 'app_uuid');
  return { app: viewApp(app) };
};

/** @returns a key as an operator sees it, without its secret */
export const viewKey = (key: ApiKey): OperatorKey => ({
  uuid: key.id,
  app_uuid: key.appId,
  name: key.name,
  prefix: key.prefix,
  scopes: [...key.scopes],
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});
