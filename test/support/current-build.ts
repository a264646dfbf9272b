import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIGEST_FILE, sourceDigest } from '../../scripts/source-digest.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const builtDigest = (): Promise<string | undefined> =>
  readFile(join(ROOT, 'dist', DIGEST_FILE), 'utf8').catch(() => undefined);

/** @returns whether `dist` was built from the current sources */
export const isBuildCurrent = async (): Promise<boolean> => (await builtDigest()) === (await sourceDigest(ROOT));

/**
 * Flow tests run the build: they must not pass or fail because of sources that are not in it.
 * @throws Error when `dist` was not built from the current sources
 */
export default async function requireCurrentBuild(): Promise<void> {
  if (await isBuildCurrent()) return;
  const fault = (await builtDigest()) === undefined ? 'is missing' : 'is older than the sources';
  throw new Error(`The tests in test/ run the built service, and dist/ ${fault}. Run \`npm run build\` first.`);
}
