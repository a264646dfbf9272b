import { defineCommand } from '../terminal/command.js';
import { tableOf } from '../terminal/table.js';

export const auditCommand = defineCommand({
  name: 'audit',
  summary: 'Recompute all derived state from the stored messages, check the books, print what differs; changes nothing',
  examples: [
    ['castellan audit', 'check everything; the status is 1 if something differs'],
    ["castellan audit --json | jq '.differences | length'", 'count the differences'],
  ],
  run: async ({ openDatabase, signal }, _input, output) => {
    const { audit } = await import('../../ingest/pipeline/audit.js');
    const db = await openDatabase();
    const found = await audit(db, ({ done, total }) => {
      signal.throwIfAborted();
      output.progress(done, total, 'checks');
    });
    const differences = found.map(({ what, where, stored, expected }) => ({ what, where, stored, expected }));
    if (differences.length === 0) {
      const text = 'No difference: all derived state is what the stored messages say, and the books are balanced.';
      output.result({ differences }, text);
      return 0;
    }
    const columns = { What: 'what', Where: 'where', Stored: 'stored', Expected: 'expected' } as const;
    output.result({ differences }, [...tableOf(differences, columns), `${differences.length} differences.`]);
    return 1;
  },
});
