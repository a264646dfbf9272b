import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMigratedDatabase,
  makeEmbeddedTemplate,
  onServer,
  SHARED_FOLDER_VARIABLE,
  TEMPLATE_VARIABLE,
} from './template.js';

/**
 * Makes the database that all test databases of this run are copied from, and the folder of those that test files share;
 * afterwards removes from the server or the disk what only this run needed.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl === undefined) {
    process.env[TEMPLATE_VARIABLE] = await makeEmbeddedTemplate();
    const folder = await mkdtemp(join(tmpdir(), 'castellan-shared-'));
    process.env[SHARED_FOLDER_VARIABLE] = folder;
    return () => rm(folder, { recursive: true, force: true });
  }
  const name = `castellan_test_template_${process.pid}`;
  await createMigratedDatabase(serverUrl, name);
  process.env[TEMPLATE_VARIABLE] = name;
  return () => onServer(serverUrl, `drop database if exists ${name} with (force)`);
}
