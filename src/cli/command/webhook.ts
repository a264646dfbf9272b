import { withoutQuery } from '../../delivery/without-query.js';
import { readWebhookId } from '../option/webhook.js';
import { defineCommand } from '../terminal/command.js';
import { minute } from '../terminal/format.js';

export const webhookListCommand = defineCommand<{ readonly app: string | undefined }>({
  name: 'webhook list',
  summary: 'List the webhooks of all apps, with what waits for them and what was given up',
  configure: (command) => command.option('--app <id>', 'only those of this app'),
  input: ({ options }) => ({ app: options.app as string | undefined }),
  run: async ({ openDatabase }, { app }, output) => {
    const { selectWebhookBacklogs } = await import('../../store/event/backlog.js');
    const webhooks = await selectWebhookBacklogs(await openDatabase(), app);
    const none = 'There is no webhook: programs make them with POST /v2/social/webhook/ (docs/webhooks.md).';
    output.list(webhooks, none, {
      Id: (one) => one.id,
      App: (one) => one.appId,
      Name: (one) => one.title,
      Address: (one) => withoutQuery(one.targetUrl),
      State: (one) => (one.active ? 'on' : (one.inactiveReason ?? 'off')),
      Waiting: (one) => String(one.waiting),
      Oldest: (one) => minute(one.oldestAt),
      'Given up': (one) => String(one.dead),
      'Failing since': (one) => minute(one.failingSince),
    });
  },
});

export const webhookRotateCommand = defineCommand<{ readonly id: string }>({
  name: 'webhook rotate',
  summary: 'Give a webhook a new secret and print it; for a day the old one signs, too',
  configure: (command) => command.argument('<id>', 'the webhook, as `webhook list` shows it'),
  input: ({ args }) => ({ id: readWebhookId(args[0]) }),
  run: async ({ openDatabase, config }, { id }, output) => {
    const [{ rotateSecret }, { requireMasterKey }] = await Promise.all([
      import('../../event/webhook/rotation.js'),
      import('../option/master-key.js'),
    ]);
    const db = await openDatabase();
    const masterKey = await requireMasterKey(config.masterKey, db, 'the secret of the webhook');
    const secret = await rotateSecret(db, masterKey, id, new Date());
    output.line(secret.value);
    output.note('The old secret signs x-service-signature for another day, the new one x-service-signature-next.');
  },
});
