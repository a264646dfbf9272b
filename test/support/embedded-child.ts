// Writes to an embedded database until it is killed; prints a line for each committed round.
// argv: data folder, megabytes of write-ahead log after which it stops writing and waits.
import { openEmbedded } from '../../src/db/embedded/embedded.js';

const [dataDir, megabytes] = process.argv.slice(2) as [string, string];
const ROWS = 20_000;

const db = await openEmbedded({ dataDir });
await db.run('create table if not exists load (n int primary key, round int not null, filler text not null)');
await db.run(
  'insert into load select n, 0, repeat(md5(n::text), 10) from generate_series(1, $1) n on conflict do nothing',
  [ROWS],
);
const written = async (): Promise<number> =>
  (await db.run<{ bytes: number }>("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as bytes"))[0]
    ?.bytes ?? 0;
const start = await written();
for (let round = 1; (await written()) - start < Number(megabytes) * 1024 * 1024; round++) {
  await db.transaction((session) => session.run('update load set round = $1', [round]));
  process.stdout.write(`${round}\n`);
}
process.stdout.write('done\n');
setInterval(() => undefined, 1000);
