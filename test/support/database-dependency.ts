import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SPECIFIER = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)\.js'/g;

const known = new Map<string, boolean>();

/**
 * Whether a test may behave differently on a PostgreSQL server: it, or a module that it imports, reads the server's
 * variable. Tests that start programs read it, too, to pass it on.
 * @param file path of a TypeScript module, relative to the working directory
 */
export const touchesDatabase = (file: string): boolean => {
  const cached = known.get(file);
  if (cached !== undefined) return cached;
  known.set(file, false); // Modules that import each other end here.
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(SPECIFIER)].map(([, path]) => join(dirname(file), `${path}.ts`));
  const result =
    text.includes('TEST_DATABASE_URL') || imported.filter((path) => existsSync(path)).some(touchesDatabase);
  known.set(file, result);
  return result;
};

/** Modules with which a test looks at statements, plans or connections. */
const DATABASE_TOOLS = /support\/(plan|sent-statement|store-statement|read-only|tcp-proxy)\.js'/;

/**
 * Whether a test that touches a database proves something of the database itself, so that each change is tested on both
 * kinds: a unit test, or a flow test that looks at the server, at statements, plans or connections. What a service
 * answers is the same on both; `npm run test:everything` shows it.
 * @param file path of a test, relative to the working directory
 */
export const provesDatabase = (file: string): boolean => {
  if (!touchesDatabase(file)) return false;
  const text = readFileSync(file, 'utf8');
  return file.startsWith('src/') || text.includes('TEST_DATABASE_URL') || DATABASE_TOOLS.test(text);
};
