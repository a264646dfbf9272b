import { sqlState } from '../../db/failure.js';
import { notFound } from '../../error.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import { digits } from '../terminal/format.js';

const MAX_LISTED = 500;
const UNDEFINED_TABLE = '42P01';
/** Maximum width of a reason in the table, in characters. */
const REASON_WIDTH = 100;

/** The first line of a reason, truncated. */
const short = (reason: string): string => {
  const line = reason.split('\n', 1)[0] ?? '';
  return line.length > REASON_WIDTH ? `${line.slice(0, REASON_WIDTH - 3)}...` : line;
};

export const refusedListCommand = defineCommand({
  name: 'refused list',
  summary: 'List items of hubs and files that could not be stored, and why; they are kept until they can be',
  examples: [
    ['castellan refused list', 'list them with their reasons'],
    ["castellan refused list --json | jq -r '.[].failure'", 'print the whole reasons'],
  ],
  run: async ({ openDatabase }, _input, output) => {
    const { selectRefusedItemCount, selectRefusedItems } = await import('../../store/protocol/refused-item.js');
    const db = await openDatabase();
    const found = await selectRefusedItems(db, 0, MAX_LISTED).catch((error: unknown) => {
      // Listing does not migrate, and a database of an older version has no refused items.
      if (sqlState(error) === UNDEFINED_TABLE) return [];
      throw error;
    });
    const rows = found.map((row) => ({
      id: row.id,
      kind: row.kind,
      fid: row.fid,
      source: row.source,
      attempts: row.attempts,
      first_refused_at: row.firstRefusedAt,
      last_refused_at: row.lastRefusedAt,
      sqlstate: row.sqlstate,
      failure: row.failure,
    }));
    output.list(rows, 'Nothing was refused.', {
      Id: ({ id }) => digits(id),
      Kind: 'kind',
      Fid: ({ fid }) => digits(fid),
      From: 'source',
      Attempts: 'attempts',
      First: 'first_refused_at',
      Last: 'last_refused_at',
      SQLSTATE: 'sqlstate',
      Why: ({ failure }) => short(failure),
    });
    if (rows.length === MAX_LISTED) {
      output.note(`These are the ${MAX_LISTED} oldest of ${await selectRefusedItemCount(db)}.`);
    }
  },
});

export const refusedRetryCommand = defineCommand({
  name: 'refused retry',
  summary: 'Store refused items after all, once the cause is gone; what is refused again stays listed',
  examples: [
    ['castellan refused retry --all', 'try all of them'],
    ['castellan refused retry 1', 'try one, as `refused list` shows it'],
  ],
  configure: (command) => command.argument('[id]', 'one, as `refused list` shows it').option('--all', 'all of them'),
  input: ({ args, options }) => {
    const typed = args[0] as string | undefined;
    if ((typed === undefined) !== (options.all === true)) throw new UsageError('Name one item, or say --all.');
    const id = typed === undefined ? undefined : Number(typed);
    if (id !== undefined && !Number.isSafeInteger(id)) throw new UsageError(`"${typed}" is no id of a refused item.`);
    return { id };
  },
  run: async ({ openCore, signal }, { id }, output) => {
    const { retryRefused } = await import('../../ingest/pipeline/refused-item-retry.js');
    const { stored, refused } = await retryRefused(await openCore(), { id, signal });
    if (id !== undefined && stored + refused === 0) {
      throw notFound(`There is no refused item ${id}: \`castellan refused list\` shows all.`, 'id');
    }
    output.result({ stored, refused }, `${stored} stored, ${refused} refused again.`);
    return refused === 0 ? 0 : 1;
  },
});
