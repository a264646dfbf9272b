import { findWebhook, readEventType, readWebhookId } from '../option/webhook.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import { tableOf } from '../terminal/table.js';

const HASH = /^(0x)?([0-9a-f]{40})$/i;

/** @returns the hash of a cast in lower case without 0x. @throws UsageError for other text */
const readHash = (text: unknown): string => {
  const [, , digits] = HASH.exec(String(text)) ?? [];
  if (digits !== undefined) return digits.toLowerCase();
  throw new UsageError(`"${String(text)}" is no hash of a cast: it has 40 hex digits, with or without 0x.`);
};

export const webhookMatchCommand = defineCommand({
  name: 'webhook match',
  summary: 'Explain filter by filter why a webhook gets a cast or not',
  examples: [
    [
      'castellan webhook match 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 0x71d5225f77e0164388b1d4c120825f3a2c1f131c',
      'explain why it gets this cast, or not',
    ],
    [
      'castellan webhook match 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 0x71d5225f77e0164388b1d4c120825f3a2c1f131c --type cast.deleted',
      'explain it for the deletion of the cast',
    ],
  ],
  configure: (command) =>
    command
      .argument('<id>', 'the webhook, as `webhook list` shows it')
      .argument('<hash>', 'of the cast')
      .option('--type <type>', 'of the event: cast.created or cast.deleted', 'cast.created'),
  input: ({ args, options }) => ({
    id: readWebhookId(args[0]),
    hash: readHash(args[1]),
    type: readEventType(options.type, ['cast.created', 'cast.deleted']),
  }),
  run: async ({ openDatabase, log }, { id, hash, type }, output) => {
    const [{ explainCastMatch }, { searchHere }, { notFound }, { openReads }] = await Promise.all([
      import('../../event/webhook/cast-match.js'),
      import('../../event/pattern-search.js'),
      import('../../error.js'),
      import('../option/reads.js'),
    ]);
    const db = await openDatabase();
    const webhook = await findWebhook(db, id);
    const reads = await openReads(db, log);
    const report = await explainCastMatch({ db, read: reads.open(), search: searchHere }, webhook, { hash, type });
    if (report === undefined) throw notFound(`No cast with the hash 0x${hash} is stored.`, 'hash');
    const { matches, reason } = report;
    const checks = report.checks.map((one) => ({
      filter: one.filter,
      kind: one.kind,
      matches: one.matches,
      reason: one.reason,
    }));
    output.result({ id, hash: `0x${hash}`, type, active: webhook.active, matches, reason, checks }, [
      ...tableOf(checks, {
        Filter: 'filter',
        Kind: 'kind',
        Matches: (one) => (one.matches ? 'yes' : 'no'),
        Why: 'reason',
      }),
      `${matches ? 'It matches' : 'It does not match'}. ${reason}`,
    ]);
    if (!webhook.active) output.note('The webhook is switched off: it gets no events.');
  },
});
