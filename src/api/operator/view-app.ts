import { notFound } from '../../error.js';
import type { OperatorApp } from '../../schema/operator/app.js';
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
