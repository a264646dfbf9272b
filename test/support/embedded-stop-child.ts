// Makes the embedded engine exit during a statement (a COPY without data). Prints the results of that statement and of
// the
// next one, and that timers still run. argv: data folder.
import { openEmbedded } from '../../src/db/embedded/embedded.js';

const db = await openEmbedded({ dataDir: process.argv[2] as string });
await db.run('create table kept as select n from generate_series(1, 3) n');
await db.run('create table copied (n int)');
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
  );
const results = [await outcome(db.script('copy copied from stdin')), await outcome(db.run('select 1'))];
setTimeout(() => {
  process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0));
}, 10);
