import { defineCommand } from '../terminal/command.js';
import { digits } from '../terminal/format.js';

export const appListCommand = defineCommand({
  name: 'app list',
  summary: 'List the apps, their accounts and where their notifications are pushed to',
  examples: [
    ['castellan app list', 'list all apps'],
    ["castellan app list --json | jq -r '.[].id'", 'print their ids only'],
  ],
  run: async ({ openDatabase }, _input, output) => {
    const { selectApps } = await import('../../store/access/app.js');
    const apps = (await selectApps(await openDatabase())).map((app) => ({
      id: app.id,
      name: app.name,
      organization_id: app.organizationId,
      organization_name: app.organizationName,
      fid: app.fid,
      notification_webhook: app.notificationWebhook,
      miniapp_domain: app.miniAppDomain,
      browser_origins: app.browserOrigins,
      sign_in_domains: app.signInDomains,
      created_at: app.createdAt,
    }));
    // Few apps have domains or a mini app, and the lines are long.
    const hasDomains = apps.some((app) => app.sign_in_domains.length > 0);
    const hasOrigins = apps.some((app) => app.browser_origins.length > 0);
    const hasMiniApps = apps.some((app) => app.miniapp_domain !== null);
    output.list(apps, 'There is no app yet: the first start of a service makes one.', {
      Id: 'id',
      Name: 'name',
      Organization: 'organization_name',
      Account: ({ fid }) => digits(fid),
      'Notifications go to': 'notification_webhook',
      ...(hasMiniApps && { 'Mini app': 'miniapp_domain' }),
      ...(hasOrigins && { 'Pages that read': (app) => app.browser_origins.join(' ') || null }),
      ...(hasDomains && { 'Sign-ins to': (app) => app.sign_in_domains.join(' ') || 'any domain' }),
    });
  },
});
