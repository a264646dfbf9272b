import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';

/**
 * What a new test database is copied from: a database that holds the migrated schema and nothing else. The value is a
 * folder (embedded database) or the name of a database on the test server; `template-setup.ts` sets it for each run.
 */
export const TEMPLATE_VARIABLE = 'CASTELLAN_TEST_TEMPLATE';

/** Names the folder of the databases that test files share. A process of tests may end before it can remove its own. */
export const SHARED_FOLDER_VARIABLE = 'CASTELLAN_TEST_SHARED_FOLDER';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/castellan-test-template');

/** Runs one statement on the test server, outside of the databases of the tests. */
export const onServer = async (serverUrl: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** @returns the address of another database of the same server */
export const databaseUrl = (serverUrl: string, name: string): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;

/** Creates a database with the current schema on the test server. */
export const createMigratedDatabase = async (serverUrl: string, name: string): Promise<void> => {
  const template = process.env[TEMPLATE_VARIABLE];
  await onServer(serverUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  if (template !== undefined) return;
  const db = openPostgres({ url: databaseUrl(serverUrl, name), poolSize: 1 });
  await migrate(db).finally(() => db.close());
};

/** Copies the template to a folder that does not exist yet. Without a template (outside of vitest) it does nothing. */
export const copyEmbeddedTemplate = async (folder: string): Promise<void> => {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) return;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  // Of `fs.cp`, a thousand files take three times the processor time.
  await promisify(execFile)('cp', ['-R', template, folder]);
};

/** The name of a template changes with everything that decides its content. */
const embeddedTemplateKey = async (): Promise<string> => {
  const engine = await readFile(join(ROOT, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  const content = JSON.stringify([
    engine,
    await readMigrations(),
    await readFile(fileURLToPath(import.meta.url), 'utf8'),
  ]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
};

/** What a machine loses without power is not tested here, so the log of writes need not hold whole pages. */
const SETTINGS = ['full_page_writes = off', 'wal_level = minimal', 'max_wal_senders = 0'];

/** @returns the folder of an embedded database with the current schema; made once and used until a migration changes. */
export const makeEmbeddedTemplate = async (): Promise<string> => {
  const folder = join(CACHE, await embeddedTemplateKey());
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  for (const outdated of await readdir(CACHE)) await rm(join(CACHE, outdated), { recursive: true, force: true });
  const draft = await mkdtemp(join(CACHE, 'draft-'));
  const db = await openEmbedded({ dataDir: draft });
  await migrate(db);
  await appendFile(join(draft, 'postgresql.conf'), `${SETTINGS.join('\n')}\n`);
  await db.run('checkpoint');
  await db.close();
  await rename(draft, folder);
  return folder;
};
