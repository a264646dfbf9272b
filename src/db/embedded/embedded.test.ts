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
