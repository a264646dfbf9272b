import type { ChangedApp, WebhookChange } from '../../access/app.js';
import { readOrigin } from '../../access/browser-origin.js';
import type { Database } from '../../db/database.js';
import { readDomain } from '../../miniapp/domain.js';
import { isUuid } from '../../uuid.js';
import { readFidOption } from '../option/fid.js';
import { requireMasterKey } from '../option/master-key.js';
import { readName } from '../option/name.js';
import { openPlanLimits, readOrganizationId } from '../option/organization.js';
import { type CommandContext, collect, defineCommand, UsageError } from '../terminal/command.js';
import type { Output } from '../terminal/output.js';

/** @returns null for the word `none` */
const orNone = <Value>(text: unknown, read: (text: string) => Value): Value | null =>
  text === 'none' ? null : read(String(text));

const readUrl = (text: string): string => {
  if (URL.canParse(text)) return text;
  throw new UsageError(`--notification-webhook takes an address like https://host.example/hook, not "${text}".`);
};

/** @returns domains as browsers show them (`location.host`); empty for the word none. @throws UsageError for others */
const readDomains = (texts: readonly string[]): readonly string[] => {
  if (texts.length === 1 && texts[0] === 'none') return [];
  const domains = texts.map((text) => {
    const address = `https://${text}`;
    // Every part of a URL other than host and port has one of these characters.
    if (text !== 'none' && !/[\s/?#@\\]/.test(text) && URL.canParse(address)) return new URL(address).host;
    throw new UsageError(`--domain takes a domain like app.example or localhost:3000, or none, not "${text}".`);
  });
  return [...new Set(domains)];
};

/** @returns origins as browsers send them; empty for the word none. @throws UsageError for others */
const readOrigins = (texts: readonly string[]): readonly string[] => {
  if (texts.length === 1 && texts[0] === 'none') return [];
  const origins = texts.map((text) => {
    const origin = readOrigin(text);
    if (origin !== undefined) return origin;
    throw new UsageError(`--origin takes an origin like https://app.example, or none, not "${text}".`);
  });
  return [...new Set(origins)];
};

/** Loopback is allowed or rejected by the service. @throws UsageError */
const readMiniApp = (text: string): string => {
  try {
    return readDomain(text, { allowLoopback: true }).name;
  } catch {
    throw new UsageError(`--miniapp takes a domain like miniapp.example, or none, not "${text}".`);
  }
};

const webhookOf = async ({ config }: CommandContext, db: Database, url: string): Promise<WebhookChange> => ({
  url,
  masterKey: await requireMasterKey(config.masterKey, db, 'the secret of the webhook'),
});

const printAccountHint = async (output: Output, db: Database, fid: number | null | undefined): Promise<void> => {
  if (typeof fid !== 'number') return;
  const { selectExistingFids } = await import('../../store/query/account-exists.js');
  if ((await selectExistingFids(db, [fid])).has(fid)) return;
  output.note(`Account ${fid} is not stored here, or not yet: check the number.`);
};

const explainSecret = (output: Output, secret: string | undefined): void => {
  if (secret === undefined) return;
  output.note('That is the secret of the webhook: x-service-signature is the hex HMAC-SHA512 of the body under it.');
  output.note('It is shown this once, and stored sealed. Setting the webhook again makes another one.');
};

const changeOf = ({ app, webhookSecret }: ChangedApp) => ({
  id: app.id,
  name: app.name,
  organization_id: app.organizationId,
  fid: app.fid,
  webhook_secret: webhookSecret ?? null,
});

const WEBHOOK_OPTION = '--notification-webhook <url>';

export const appCreateCommand = defineCommand({
  name: 'app create',
  summary: 'Make an app and print its id; API keys, signers, bans and hosted notifications belong to an app',
  examples: [
    ['castellan app create my-client', 'make an app; its id is printed'],
    ["castellan app create my-host --fid 3 --json | jq -r '.id'", 'make an app with an account, from a script'],
  ],
  configure: (command) =>
    command
      .argument('<name>', 'what it is called, to be told apart in the list')
      .option('--organization <id>', "whose plan its keys use (default: the installation's own)")
      .option('--fid <fid>', "the app's own account")
      .option(WEBHOOK_OPTION, "where its users' notifications are pushed to; its secret is printed below the id"),
  input: ({ args, options }) => ({
    name: readName(args[0]),
    organization: options.organization === undefined ? undefined : readOrganizationId(options.organization),
    fid: options.fid === undefined ? undefined : readFidOption(options.fid),
    url: options.notificationWebhook === undefined ? undefined : readUrl(options.notificationWebhook as string),
  }),
  run: async (context, { name, organization, fid, url }, output) => {
    const { makeApp } = await import('../../access/app.js');
    const db = await context.openDatabase();
    const limits = await openPlanLimits(context.config);
    const { app, webhookSecret } = await makeApp(db, {
      name,
      limits,
      now: new Date(),
      ...(organization === undefined ? {} : { organizationId: organization }),
      ...(fid === undefined ? {} : { fid }),
      ...(url === undefined ? {} : { webhook: await webhookOf(context, db, url) }),
    });
    output.result(changeOf({ app, webhookSecret }), [app.id, ...(webhookSecret === undefined ? [] : [webhookSecret])]);
    output.note(`App ${app.id} (${name}) is made: \`castellan key create --app ${app.id} NAME\` gives it a key.`);
    await printAccountHint(output, db, fid);
    explainSecret(output, webhookSecret);
  },
});

export const appSetCommand = defineCommand({
  name: 'app set',
  summary:
    'Change an app: name, account, domains of its sign-ins, mini app, webhook; running services know within a second',
  examples: [
    ['castellan app set 00000000-0000-4000-8000-000000000002 --fid 3', 'give the default app an account'],
    [
      'castellan app set 00000000-0000-4000-8000-000000000002 --domain app.example --domain localhost:3000',
      'let its users sign in at two sites only',
    ],
  ],
  configure: (command) =>
    command
      .argument('<id>', 'the app, as `app list` shows it')
      .option('--name <name>', 'what it is called')
      .option('--fid <fid>', "the app's own account, or none")
      .option(
        '--domain <domain>',
        'where its users sign in, like app.example; may be repeated and replaces all before; none: anywhere',
        collect,
      )
      .option(
        '--origin <origin>',
        'whose pages may read with its id as client_id, like https://app.example; may be repeated and replaces all before; none: no page',
        collect,
      )
      .option(
        '--miniapp <domain>',
        'where its mini app is, like miniapp.example, or none; its webhookUrl is PUBLIC_URL/f/app/ID/event',
      )
      .option(WEBHOOK_OPTION, "where its users' notifications are pushed to, or none; what waits is dropped then"),
  input: ({ args, options: { name, fid, domain, origin, miniapp, notificationWebhook: url } }) => {
    const id = args[0];
    if (!isUuid(id)) throw new UsageError(`"${String(id)}" is no id of an app: \`castellan app list\` shows them.`);
    if ([name, fid, domain, origin, miniapp, url].every((option) => option === undefined)) {
      throw new UsageError(
        'Say what to change: --name, --fid, --domain, --origin, --miniapp or --notification-webhook.',
      );
    }
    return {
      id,
      name: name === undefined ? undefined : readName(name),
      fid: fid === undefined ? undefined : orNone(fid, readFidOption),
      domains: domain === undefined ? undefined : readDomains(domain as readonly string[]),
      origins: origin === undefined ? undefined : readOrigins(origin as readonly string[]),
      miniApp: miniapp === undefined ? undefined : orNone(miniapp, readMiniApp),
      url: url === undefined ? undefined : orNone(url, readUrl),
    };
  },
  run: async (context, { id, name, fid, domains, origins, miniApp, url }, output) => {
    const { changeApp } = await import('../../access/app.js');
    const db = await context.openDatabase();
    const { app, webhookSecret } = await changeApp(db, {
      id,
      now: new Date(),
      ...(name === undefined ? {} : { name }),
      ...(fid === undefined ? {} : { fid }),
      ...(domains === undefined ? {} : { signInDomains: domains }),
      ...(origins === undefined ? {} : { browserOrigins: origins }),
      ...(miniApp === undefined ? {} : { miniAppDomain: miniApp }),
      ...(url === undefined ? {} : { webhook: url === null ? null : await webhookOf(context, db, url) }),
    });
    output.result(changeOf({ app, webhookSecret }), webhookSecret);
    output.note(`App ${app.id} (${app.name}) is changed.`);
    if (typeof miniApp === 'string') {
      output.note(`Put PUBLIC_URL/f/app/${app.id}/event as webhookUrl into the manifest of ${miniApp}.`);
    }
    await printAccountHint(output, db, fid);
    explainSecret(output, webhookSecret);
  },
});
