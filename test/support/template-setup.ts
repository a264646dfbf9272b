import { createMigratedDatabase, makeEmbeddedTemplate, onServer, TEMPLATE_VARIABLE } from './template.js';

/** Makes the database that all test databases of this run are copied from, and removes it from the server afterwards. */
export default async function setup(): Promise<() => Promise<void>> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl === undefined) {
    process.env[TEMPLATE_VARIABLE] = await makeEmbeddedTemplate();
    return async () => undefined;
  }
  const name = `castellan_test_template_${process.pid}`;
  await createMigratedDatabase(serverUrl, name);
  process.env[TEMPLATE_VARIABLE] = name;
  return () => onServer(serverUrl, `drop database if exists ${name} with (force)`);
}
