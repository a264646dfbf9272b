import type { StoredAuditEntry } from '../../store/access/audit-log.js';
import { readOrganizationId } from '../option/organization.js';
import { defineCommand, UsageError } from '../terminal/command.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

const readLimit = (text: unknown): number => {
  const limit = /^\d{1,5}$/.test(String(text)) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${String(text)}".`);
};

const actorOf = ({ keyId, keyName, requestId }: StoredAuditEntry): string => {
  if (keyId !== null) return `key ${keyId}${keyName === null ? '' : ` (${keyName})`}`;
  return requestId === null ? 'operator' : 'service';
};

const detailOf = ({ detail }: StoredAuditEntry): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

export const orgLogCommand = defineCommand({
  name: 'org log',
  summary: 'Show what was changed about an organization, when, and with which key and request, newest first',
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
    const entries = await selectAuditEntries(db, id, limit);
    output.list(entries, 'Nothing was changed yet.', {
      When: (entry) => entry.at.toISOString(),
      What: (entry) => entry.action,
      By: (entry) => actorOf(entry),
      Request: (entry) => entry.requestId ?? '-',
      Details: (entry) => detailOf(entry),
    });
  },
});
