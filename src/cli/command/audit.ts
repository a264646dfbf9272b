import { defineCommand } from '../terminal/command.js';

export const auditCommand = defineCommand({
  name: 'audit',
  summary: 'Recompute all derived state from the stored messages, check the books, print what differs; changes nothing',
  run: async ({ openDatabase, signal }, _input, output) => {
    const { audit } = await import('../../ingest/pipeline/audit.js');
    const db = await openDatabase();
    const differences = await audit(db, ({ done, total }) => {
      signal.throwIfAborted();
      output.progress(done, total, 'checks');
    });
    if (differences.length === 0) {
      output.line('No difference: all derived state is what the stored messages say, and the books are balanced.');
      return;
    }
    const rows = differences.map(({ what, where, stored, expected }) => [what, where, stored ?? '-', expected ?? '-']);
    output.table(['What', 'Where', 'Stored', 'Expected'], rows);
    output.line(`${differences.length} differences.`);
    return 1;
  },
});
