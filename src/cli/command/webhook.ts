import { withoutQuery } from '../../delivery/without-query.js';
import { readWebhookId } from '../option/webhook.js';
import { defineCommand } from '../terminal/command.js';

export const webhookListCommand = defineCommand<{ readonly app: string | undefined }>({
  name: 'webhook list',
  summary: 'List the webhooks of all apps, with what waits for them and what was given up',
  examples: [
    ['castellan webhook list', 'list all webhooks'],
    ["castellan webhook list --json | jq '.[] | select(.failing_since) | .id'", 'print those that fail'],
  ],
  configure: (command) => command.option('--app <id>', 'only those of this app'),
  input: ({ options }) => ({ app: options.app as string | undefined }),
  run: async ({ openDatabase }, { app }, output) => {
    const { selectWebhookBacklogs } = await import('../../store/event/backlog.js');
    const webhooks = (await selectWebhookBacklogs(await openDatabase(), app)).map((one) => ({
      id: one.id,
      app_id: one.appId,
      name: one.title,
      url: withoutQuery(one.targetUrl),
      active: one.active,
      inactive_reason: one.inactiveReason,
      waiting: one.waiting,
      oldest_waiting_at: one.oldestAt,
      given_up: one.dead,
      failing_since: one.failingSince,
    }));
    const none = 'There is no webhook: programs make them with POST /v2/social/webhook/ (docs/webhooks.md).';
    output.list(webhooks, none, {
      Id: 'id',
      App: 'app_id',
      Name: 'name',
      Address: 'url',
      State: (one) => (one.active ? 'on' : (one.inactive_reason ?? 'off')),
      Waiting: 'waiting',
      Oldest: 'oldest_waiting_at',
      'Given up': 'given_up',
      'Failing since': 'failing_since',
    });
  },
});

export const webhookRotateCommand = defineCommand<{ readonly id: string }>({
  name: 'webhook rotate',
  summary: 'Give a webhook a new secret and print it; for a day the old one signs, too',
  examples: [
    ['castellan webhook rotate 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'print the new secret'],
    ["castellan webhook rotate 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --json | jq -r '.secret'", 'hand it to a script'],
  ],
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
    output.result({ id, secret: secret.value }, secret.value);
    output.note('The old secret signs x-service-signature for another day, the new one x-service-signature-next.');
  },
});
