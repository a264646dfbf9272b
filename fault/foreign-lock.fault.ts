import { readFileSync } from 'node:fs';
import pg from 'pg';
import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

const LASTS_MS = 1_500;
/** All tables, as the migrations make them. */
const TABLES = [...readFileSync('src/store/tables.ts', 'utf8').matchAll(/^ {2}(\w+): \{$/gm)].map(
  ([, name]) => name as string,
);

testFault({
  title: 'Somebody locks a table for 1.5 s (`access exclusive`), each in turn',
  times: TABLES.length,
  provoke: async ({ primary }, n) => {
    const other = new pg.Client({ connectionString: primary.url });
    await other.connect();
    await other.query(`begin; lock table "${TABLES[n % TABLES.length]}" in access exclusive mode`);
    await delay(LASTS_MS);
    await other.end();
  },
});
