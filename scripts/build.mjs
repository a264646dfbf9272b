// Transpiles src/**/*.ts to dist/, one module for one module, so that stack traces, worker threads and lazy
// imports see the same tree as in the sources. Types are checked by `npm run check`, not here: a start must be quick.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { makeEmbeddedDump } from './embedded-dump.mjs';
import { builtModules, DIGEST_FILE, sourceDigest } from './source-digest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const target = join(root, 'dist');

// Progress goes to standard error: whoever starts the service for the first time waits for this.
console.error('Building Castellan ...');
// Before the sources are read: a change made meanwhile makes the build an outdated one.
const digest = await sourceDigest(root);
const sources = await builtModules(source);
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: sources.map((name) => join(source, name)),
  outbase: source,
  outdir: target,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  write: false,
});

// The SDK of mini apps for the browser, which src/api/pay-frame serves. Its part for another chain is left out: it would be
// half of the file, and nothing calls it.
const sdk = await build({
  stdin: { contents: "export { sdk } from '@farcaster/miniapp-sdk';", resolveDir: root },
  outfile: join(target, 'pay-sdk.js'),
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'iife',
  globalName: 'miniAppModule',
  footer: { js: 'globalThis.miniApp = miniAppModule.sdk;' },
  target: 'es2022',
  legalComments: 'inline',
  plugins: [
    {
      name: 'without-solana',
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /^@solana\/web3\.js$/ }, () => ({ path: 'solana', namespace: 'absent' }));
        onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
      },
    },
  ],
  logLevel: 'error',
  write: false,
});
outputFiles.push(...sdk.outputFiles);

// A service may be running from dist/ and load modules lazily: unchanged files stay, changed ones are swapped whole.
for (const { path, text } of outputFiles) {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue;
  await mkdir(dirname(path), { recursive: true });
  // The command line is a program of its own right.
  await writeFile(`${path}.${process.pid}`, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  await rename(`${path}.${process.pid}`, path);
}
await makeEmbeddedDump(root, target);

const wanted = new Set(outputFiles.map(({ path }) => relative(target, path)));
for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
  const name = relative(target, join(entry.parentPath, entry.name));
  if (entry.isFile() && !wanted.has(name) && !name.startsWith('embedded.'))
    await rm(join(target, name), { force: true });
}
await writeFile(join(target, DIGEST_FILE), digest);
