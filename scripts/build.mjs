// Makes dist/ unless it was made from the sources as they are now.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeEmbeddedTemplate } from './embedded-template.mjs';
import { DIGEST_FILE, sourceDigest } from './source-digest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist');
const stamp = join(target, DIGEST_FILE);

const hasCompiler = () => {
  try {
    return createRequire(import.meta.url).resolve('esbuild') !== '';
  } catch {
    return false;
  }
};

// `npm ci --omit=dev` runs this, too, and installs no compiler.
if (process.env.npm_lifecycle_event === 'prepare' && !hasCompiler()) process.exit();

// Before the sources are read: a change made meanwhile makes the build an outdated one.
const digest = await sourceDigest(root);
if ((await readFile(stamp, 'utf8').catch(() => undefined)) !== digest) {
  // Progress goes to standard error: whoever starts the service for the first time waits for this.
  console.error('Building Castellan ...');
  const { compile } = await import('./compile.mjs');
  await rm(stamp, { force: true });
  await compile(root, target);
}
await makeEmbeddedTemplate(root, target);
await writeFile(stamp, digest);
