import { PROTOCOL_EVENT_TYPES } from '../../protocol/event/social-event.js';
import { findWebhook, readEventType, readWebhookId } from '../option/webhook.js';
import { defineCommand } from '../terminal/command.js';
import { digits } from '../terminal/format.js';
import { formatTable } from '../terminal/table.js';

export const webhookTestCommand = defineCommand({
  name: 'webhook test',
  summary: 'Call a webhook now with a signed sample of an event, and show what it answers; nothing is stored',
  examples: [
    ['castellan webhook test 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'send a cast; the status is 1 if it is not taken'],
    [
      'castellan webhook test 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --type follow.created --body',
      'send a follow, and print it',
    ],
  ],
  configure: (command) =>
    command
      .argument('<id>', 'the webhook, as `webhook list` shows it')
      .option('--type <type>', `of the event: ${PROTOCOL_EVENT_TYPES.join(', ')}`, 'cast.created')
      .option('--body', 'print what was sent, too'),
  input: ({ args, options }) => ({
    id: readWebhookId(args[0]),
    type: readEventType(options.type, PROTOCOL_EVENT_TYPES),
    isBodyShown: options.body === true,
  }),
  run: async ({ config, openDatabase, log }, { id, type, isBodyShown }, output) => {
    const [{ createOutbound }, { sendSample }, { readWebhook }, { requireMasterKey }, { openReads }] =
      await Promise.all([
        import('../../delivery/outbound.js'),
        import('../../event/webhook/sample-event.js'),
        import('../../event/webhook/webhook.js'),
        import('../option/master-key.js'),
        import('../option/reads.js'),
      ]);
    const db = await openDatabase();
    const { appId } = await findWebhook(db, id);
    const masterKey = await requireMasterKey(config.masterKey, db, 'the secret of the webhook');
    const outbound = createOutbound({ allowLoopback: config.allowLoopbackTargets });
    const dependencies = { db, masterKey, rule: outbound, clock: Date.now };
    const sent = await sendSample(
      // The metrics of a service count what it delivers itself.
      { ...dependencies, reads: await openReads(db, log), outbound, meter: (_kind, attempt) => attempt() },
      await readWebhook(dependencies, appId, id),
      type,
    );
    const { status, latencyMs, failure, body } = sent;
    const table = formatTable(['Status', 'Latency', 'Error'], [[digits(status ?? null), `${latencyMs} ms`, failure]]);
    output.result(
      { id, type, status: status ?? null, latency_ms: latencyMs, failure, body: isBodyShown ? body : null },
      isBodyShown ? [...table, body] : table,
    );
    return failure === null ? 0 : 1;
  },
});
