import type { Database } from '../../db/database.js';
import type { Webhook } from '../../store/event/webhook.js';
import { openReads } from '../option/reads.js';
import { findWebhook, readWebhookId } from '../option/webhook.js';
import { type CommandContext, defineCommand, UsageError } from '../terminal/command.js';
import type { Output } from '../terminal/output.js';

/** Where to begin: an event of the log, a time (ISO 8601), or what was given up. */
type Start = { readonly eventId: string } | { readonly time: string } | 'failed';

const EVENT_ID = /^\d{1,15}(-\d{1,5})?$/;
const TIME = /^\d{4}-\d\d-\d\d/;

/** @throws UsageError unless there is exactly one of `--from` and `--failed`, and it can be read */
const readStart = ({ from, failed }: Readonly<Record<string, unknown>>): Start => {
  if ((from === undefined) !== (failed === true)) {
    throw new UsageError('Say where to begin, --from, or --failed for what was given up.');
  }
  if (typeof from !== 'string') return 'failed';
  if (EVENT_ID.test(from)) return { eventId: from };
  // Here and not in the service, which may be in another time zone.
  if (TIME.test(from) && !Number.isNaN(Date.parse(from))) return { time: new Date(from).toISOString() };
  throw new UsageError(
    `--from takes the id of an event, like 4711-0, or a time, like 2026-01-31T12:00:00Z, not "${from}".`,
  );
};

/** What is written for a webhook that is off would wait until it is on again. @throws AppError if it is off, or gone */
const requireActive = async (db: Database, id: string): Promise<Webhook> => {
  const webhook = await findWebhook(db, id);
  if (webhook.active) return webhook;
  const { AppError } = await import('../../error.js');
  const message = `The webhook ${id} is switched off: its owner switches it on with PATCH /v2/social/webhook/.`;
  throw new AppError('conflict', 'WebhookInactive', message, { property: 'id' });
};

/** @returns how many events are sent again */
const replayAllFailed = async (
  db: Database,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
  output: Output,
): Promise<number> => {
  const { replayFailed } = await import('../../event/webhook/replay.js');
  let sent = 0;
  for (;;) {
    signal.throwIfAborted();
    const count = await replayFailed({ db, clock: Date.now }, await requireActive(db, id));
    if (count === 0) return sent;
    sent += count;
    output.progress(sent, undefined, 'events');
  }
};

/** Goes on to what is the newest row now: the service hands later ones to the webhook. @returns how many are sent */
const replayLog = async (
  { openDatabase, log, signal }: CommandContext,
  { id, start }: { readonly id: string; readonly start: Exclude<Start, 'failed'> },
  output: Output,
): Promise<number> => {
  const [{ findBefore, findEnd, findTime }, { replayFrom }, { searchHere }] = await Promise.all([
    import('../../event/log-position.js'),
    import('../../event/webhook/replay.js'),
    import('../../event/pattern-search.js'),
  ]);
  const db = await openDatabase();
  const { logId: before } =
    'time' in start
      ? await findTime(db, new Date(start.time), '--from')
      : await findBefore(db, start.eventId, '--from');
  const { logId: newest } = await findEnd(db);
  const reads = await openReads(db, log);
  let sent = 0;
  let next: number | undefined = before + 1;
  while (next !== undefined && next <= newest) {
    signal.throwIfAborted();
    const dependencies = { db, clock: Date.now, reads, search: searchHere };
    const page = await replayFrom(dependencies, await requireActive(db, id), next);
    sent += page.count;
    next = page.next;
    output.progress(Math.min(next ?? newest, newest) - before, newest - before, 'rows of the event log');
  }
  return sent;
};

export const webhookReplayCommand = defineCommand<{ readonly id: string; readonly start: Start }>({
  name: 'webhook replay',
  summary: 'Send events to a webhook again, from an event or a time on, or those that were given up',
  examples: [
    ['castellan webhook replay 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --failed', 'send what was given up'],
    [
      'castellan webhook replay 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --from 2026-01-31T12:00:00Z',
      'send everything from a time on',
    ],
  ],
  configure: (command) =>
    command
      .argument('<id>', 'the webhook, as `webhook list` shows it')
      .option('--from <start>', 'the id of the first event, like 4711-0, or a time, like 2026-01-31T12:00:00Z')
      .option('--failed', 'what was given up'),
  input: ({ args, options }) => ({ id: readWebhookId(args[0]), start: readStart(options) }),
  run: async (context, { id, start }, output) => {
    const db = await context.openDatabase();
    await requireActive(db, id);
    const sent =
      start === 'failed'
        ? await replayAllFailed(db, { id, signal: context.signal }, output)
        : await replayLog(context, { id, start }, output);
    const text = `Events made due: ${sent.toLocaleString('en-US')}. The running service sends them.`;
    output.result({ id, due: sent }, text);
  },
});
