import type { Database } from '../../db/database.js';
import { notFound } from '../../error.js';
import type { HostPush } from '../../store/miniapp/push.js';
import { isUuid } from '../../uuid.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import { digits } from '../terminal/format.js';

const MAX_LISTED = 500;

/** Type shown for pushed notifications. */
const PUSH = 'notification';

type Undelivered = HostPush & { readonly event: string };

/** @returns host events and pushed notifications together, oldest first */
const selectUndelivered = async (db: Database, state: 'pending' | 'dead'): Promise<Undelivered[]> => {
  const [{ selectHostDeliveries }, { selectHostPushes }] = await Promise.all([
    import('../../store/miniapp/delivery.js'),
    import('../../store/miniapp/push.js'),
  ]);
  const events = await selectHostDeliveries(db, state, MAX_LISTED);
  const pushes = await selectHostPushes(db, state, MAX_LISTED);
  return [...events, ...pushes.map((push) => ({ ...push, event: PUSH }))]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .slice(0, MAX_LISTED);
};

export const deliveryListCommand = defineCommand({
  name: 'delivery list',
  summary: 'List host events that could not be delivered to mini apps, and notifications not pushed to host apps',
  examples: [
    ['castellan delivery list', 'list what was given up'],
    ['castellan delivery list --waiting', 'list what is still tried'],
  ],
  configure: (command) => command.option('--waiting', 'those that are still tried, instead of those given up'),
  input: ({ options }) => ({ waiting: options.waiting === true }),
  run: async ({ openDatabase }, { waiting }, output) => {
    const found = await selectUndelivered(await openDatabase(), waiting ? 'pending' : 'dead');
    const rows = found.map((row) => ({
      id: row.id,
      domain: row.domain,
      fid: row.fid,
      event: row.event,
      attempts: row.attempts,
      created_at: row.createdAt,
      next_at: waiting ? row.nextAt : null,
      ended_at: waiting ? null : (row.endedAt ?? row.nextAt),
      failure: row.failure,
    }));
    output.list(rows, waiting ? 'No event waits for its delivery.' : 'No event was given up.', {
      Id: 'id',
      Domain: 'domain',
      Fid: ({ fid }) => digits(fid),
      Event: 'event',
      Attempts: 'attempts',
      Made: 'created_at',
      ...(waiting ? { Next: 'next_at' } : { 'Given up': 'ended_at' }),
      Why: 'failure',
    });
    if (rows.length === MAX_LISTED) output.note(`These are the ${MAX_LISTED} oldest.`);
  },
});

const makeDue = async (db: Database, id: string | undefined, now: Date): Promise<number> => {
  const [{ updateHostDeliveriesDue }, { updateHostPushesDue }, { RETRY_WINDOW_MS }] = await Promise.all([
    import('../../store/miniapp/delivery.js'),
    import('../../store/miniapp/push.js'),
    import('../../delivery/retry-delay.js'),
  ]);
  const times = { now, expiresAt: new Date(now.getTime() + RETRY_WINDOW_MS) };
  return (await updateHostDeliveriesDue(db, id, times)) + (await updateHostPushesDue(db, id, times));
};

export const deliveryRetryCommand = defineCommand({
  name: 'delivery retry',
  summary: 'Try them again: a running service delivers them within seconds, and goes on for a day',
  examples: [
    ['castellan delivery retry --all', 'try all that were given up'],
    ['castellan delivery retry 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'try one of them'],
  ],
  configure: (command) =>
    command.argument('[id]', 'one, as `delivery list` shows it').option('--all', 'all that were given up'),
  input: ({ args, options }) => {
    const id = args[0];
    if ((id === undefined) !== (options.all === true)) throw new UsageError('Name one event, or say --all.');
    if (id !== undefined && !isUuid(id)) throw new UsageError(`"${String(id)}" is no id of an event.`);
    return { id };
  },
  run: async ({ openDatabase }, { id }, output) => {
    const count = await makeDue(await openDatabase(), id, new Date());
    if (id !== undefined && count === 0) {
      throw notFound(
        `There is no event ${id} that waits, or was given up with no later one of its user and domain that is delivered or waits: \`castellan delivery list\` shows them.`,
      );
    }
    output.result({ retried: count }, count === 1 ? '1 event is tried again.' : `${count} events are tried again.`);
  },
});
