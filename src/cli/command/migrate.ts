import { migrate } from '../../db/migrate.js';
import { defineCommand } from '../terminal/command.js';

export const migrateCommand = defineCommand({
  name: 'migrate',
  store: 'create',
  summary: 'Bring the database to the schema of this version (every start does this, too)',
  run: async ({ openDatabase }, _input, output) => {
    const applied = await migrate(await openDatabase());
    for (const name of applied) output.line(`applied ${name}`);
    if (applied.length === 0) output.line('Nothing to do: the database has the schema of this version.');
  },
});
