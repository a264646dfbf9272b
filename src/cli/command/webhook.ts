import { withoutQuery } from '../../delivery/without-query.js';
import { readWebhookId } from '../option/webhook.js';
import { defineCommand } from '../terminal/command.js';

const minute = (date: Date | null): string => date?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';

export const webhookListCommand = defineCommand<{ readonly app: string | undefined }>({
  name: 'webhook list',
  summary: 'List the webhooks of all apps, with what waits for them and what was given up',
  configure: (command) => command.option('--app <id>', 'only those of this app'),
  input: ({ options }) => ({ app: options.app as string | undefined }),
  run: async ({ openDatabase }, { app }, output) => {
    const { selectWebhookBacklogs } = await import('../../store/event/backlog.js');
    const webhooks = await selectWebhookBacklogs(await openDatabase(), app);
    if (webhooks.length === 0) {
      output.note('There is no webhook: programs make them with POST /v2/social/webhook/ (docs/webhooks.md).');
      return 0;
    }
    output.table(
      ['Id', 'App', 'Name', 'Address', 'State', 'Waiting', 'Oldest', 'Given up', 'Failing since'],
      webhooks.map((one) => [
        one.id,
        one.appId,
        one.title,
        withoutQuery(one.targetUrl),
        one.active ? 'on' : (one.inactiveReason ?? 'off'),
        String(one.waiting),
        minute(one.oldestAt),
        String(one.dead),
        minute(one.failingSince),
      ]),
    );
    return 0;
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
    return 0;
  },
});
