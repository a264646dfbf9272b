import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedded } from './embedded.js';

test('a statement that failed takes neither the next one nor the closing with it', async () => {
  const db = await openEmbedded({});
  for (let round = 0; round < 3; round++) {
    await expect(db.run('select * from missing where n = $1', [round])).rejects.toMatchObject({ code: '42P01' });
    expect(await db.run('select $1::int as n', [round])).toEqual([{ n: round }]);
  }
  // When it is closed, the engine has not yet answered the messages that the driver sent after the failed statement.
  await expect(db.run('select * from missing where n = $1', [0])).rejects.toMatchObject({ code: '42P01' });
  await db.close();
});

test('timers run and connections are read however many requests wait for statements', async () => {
  const db = await openEmbedded({});
  const answer = async (): Promise<void> => {
    // As a page does: each statement when the one before it was answered.
    for (let n = 0; n < 5; n++) await db.run('select count(*) from generate_series(1, 20000)');
  };
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const began = performance.now();
  await Promise.all(Array.from({ length: 30 }, answer));
  clearInterval(timer);
  expect(performance.now() - began).toBeGreaterThan(100);
  // A statement takes some milliseconds, and the others have their turn after one or a few of them.
  expect(turns).toBeGreaterThan(20);
  await db.close();
});

test('nobody else may read the files of a database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-access-'));
  const dataDir = join(folder, 'database');
  const db = await openEmbedded({ dataDir });
  await db.script('create table own (n int)');
  await db.close();
  const entries = await readdir(dataDir, { recursive: true });
  const modes = new Set<number>();
  for (const entry of entries) modes.add((await stat(join(dataDir, entry))).mode & 0o077);
  expect(entries.length).toBeGreaterThan(500);
  expect([...modes, (await stat(dataDir)).mode & 0o077]).toEqual([0, 0]);
  await rm(folder, { recursive: true });
});
