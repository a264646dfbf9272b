import type { StoredAuditEntry } from '../../store/access/audit-log.js';
import { readOrganizationId } from '../option/organization.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import type { JsonObject } from '../terminal/output.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

const readLimit = (text: unknown): number => {
  const limit = /^\d{1,5}$/.test(String(text)) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${String(text)}".`);
};

const rowOf = (entry: StoredAuditEntry) => ({
  at: entry.at,
  action: entry.action,
  key_id: entry.keyId,
  key_name: entry.keyName,
  request_id: entry.requestId,
  // It was stored as JSON.
  detail: entry.detail as JsonObject,
});
type Row = ReturnType<typeof rowOf>;

const actorOf = ({ key_id, key_name, request_id }: Row): string => {
  if (key_id !== null) return `key ${key_id}${key_name === null ? '' : ` (${key_name})`}`;
  return request_id === null ? 'operator' : 'service';
};

const detailOf = ({ detail }: Row): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

export const orgLogCommand = defineCommand({
  name: 'org log',
  summary: 'Show what was changed about an organization, when, and with which key and request, newest first',
  examples: [
    ['castellan org log 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'show the last 50 changes'],
    [
      "castellan org log 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --limit 1 --json | jq '.[0].action'",
      'print what was changed last',
    ],
  ],
  configure: (command) =>
    command
      .argument('<organization>', 'its id, as `org list` shows it')
      .option('--limit <count>', `how many changes at most (default: ${DEFAULT_LIMIT})`),
  input: ({ args, options }) => ({
    id: readOrganizationId(args[0]),
    limit: options.limit === undefined ? DEFAULT_LIMIT : readLimit(options.limit),
  }),
  run: async ({ openDatabase }, { id, limit }, output) => {
    const [{ selectAuditEntries }, { selectOrganization }, { noOrganization }] = await Promise.all([
      import('../../store/access/audit-log.js'),
      import('../../store/access/organization.js'),
      import('../../access/organization.js'),
    ]);
    const db = await openDatabase();
    if ((await selectOrganization(db, id)) === undefined) throw noOrganization(id);
    const entries = (await selectAuditEntries(db, id, limit)).map(rowOf);
    output.list(entries, 'Nothing was changed yet.', {
      When: (entry) => entry.at.toISOString(),
      What: 'action',
      By: actorOf,
      Request: 'request_id',
      Details: detailOf,
    });
  },
});
