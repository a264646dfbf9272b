import { migrate } from '../../db/migrate.js';
import { defineCommand } from '../terminal/command.js';

export const migrateCommand = defineCommand({
  name: 'migrate',
  store: 'create',
  summary: 'Bring the database to the schema of this version (every start does this, too)',
  examples: [
    ['castellan migrate', 'make the tables, or bring them up to date'],
    ["castellan migrate --json | jq '.applied'", 'print which migrations were missing'],
  ],
  run: async ({ openDatabase }, _input, output) => {
    const applied = await migrate(await openDatabase());
    const nothing = ['Nothing to do: the database has the schema of this version.'];
    output.result({ applied }, applied.length === 0 ? nothing : applied.map((name) => `applied ${name}`));
  },
});
