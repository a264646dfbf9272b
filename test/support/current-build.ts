import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIGEST_FILE, sourceDigest } from '../../scripts/source-digest.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Flow tests run the build: they must not pass or fail because of sources that are not in it.
 * @throws Error when `dist` was not built from the current sources
 */
export default async function requireCurrentBuild(): Promise<void> {
  const built = await readFile(join(ROOT, 'dist', DIGEST_FILE), 'utf8').catch(() => undefined);
  if (built === (await sourceDigest(ROOT))) return;
  throw new Error(
    `The tests in test/ run the built service, and dist/ ${built === undefined ? 'is missing' : 'is older than the sources'}. Run \`npm run build\` first.`,
  );
}
