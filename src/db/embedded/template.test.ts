import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, readMigrations } from '../migrate.js';
import { openEmbedded } from './embedded.js';
import { readTemplate, TEMPLATE, TEMPLATE_STAMP, templateStamp } from './template.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-template-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a template counts only if it was made from these migrations', async () => {
  expect(await readTemplate(folder)).toBeUndefined();
  await writeFile(join(folder, TEMPLATE), 'packed');
  await writeFile(join(folder, TEMPLATE_STAMP), 'of an earlier migration');
  expect(await readTemplate(folder)).toBeUndefined();
  await writeFile(join(folder, TEMPLATE_STAMP), await templateStamp());
  expect(Buffer.from((await readTemplate(folder)) ?? []).toString()).toBe('packed');
});

test('the template of the build has the schema of the migrations', async () => {
  const db = await openEmbedded({});
  const rows = await db.select<{ name: string }>('select name from migration order by name');
  expect(rows.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name));
  expect(await migrate(db)).toEqual([]);
  await db.close();
});
