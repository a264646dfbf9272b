// Tells whether dist/ was built from the sources as they are now.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the build writes the digest of the sources that it was made from. */
export const DIGEST_FILE = 'source-digest';

/** Types of the interface, which `npm run check` makes of openapi.json. */
const TYPES = join('api', 'schema.ts');

/** What decides dist/ beside the sources: the build, and the versions of the compiler and of bundled packages. */
const BUILD = ['scripts/compile.mjs', 'scripts/library.mjs', 'package-lock.json'];

/**
 * @param {string} source absolute path of the folder of the sources
 * @returns {Promise<string[]>} the modules that are built, relative to the folder
 */
export const builtModules = async (source) =>
  (await readdir(source, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();

/** @returns the modules and style sheets of the console; its types are described, and not built */
const consoleFiles = async (source) =>
  (await readdir(source, { recursive: true })).filter((name) => /\.(tsx?|css)$/.test(name) && name !== TYPES).sort();

/**
 * @param {string} source absolute path of the folder of the sources
 * @returns {Promise<string[]>} the data that is read at run time, relative to the folder
 */
export const builtData = async (source) =>
  (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.json')).sort();

/**
 * @param {string} root absolute path of the checkout
 * @returns {Promise<string>} a digest of everything that dist/ is made from
 */
export const sourceDigest = async (root) => {
  const source = join(root, 'src');
  const built = [...(await builtModules(source)), ...(await builtData(source))];
  const pages = await consoleFiles(join(root, 'console', 'src'));
  const files = [
    ...BUILD,
    ...built.map((name) => join('src', name)),
    ...pages.map((name) => join('console', 'src', name)),
  ];
  const hash = createHash('sha256');
  for (const [n, content] of (await Promise.all(files.map((name) => readFile(join(root, name))))).entries())
    hash.update(`${files[n]} ${content.length}\n`).update(content);
  return hash.digest('hex');
};
