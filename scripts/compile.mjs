// Transpiles src/**/*.ts to dist/, one module for one module, so that stack traces, worker threads and lazy
// imports see the same tree as in the sources. Types are checked by `npm run check`, not here: a start must be quick.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { withLibraries } from './library.mjs';
import { builtData, builtModules } from './source-digest.mjs';

const compileModules = async (root, source, target) => {
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
  return withLibraries(root, target, outputFiles);
};

/**
 * The SDK of mini apps for the browser, which src/api/pay-frame serves. Its part for another chain is left out: it would be
 * half of the file, and nothing calls it.
 */
const bundleSdk = async (root, target) => {
  const { outputFiles } = await build({
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
  return outputFiles;
};

/** The console: one script and one style sheet, whose names change with what is in them. */
const bundleConsole = async (root, target) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'console', 'src', 'main.tsx')],
    entryNames: 'console-[hash]',
    outdir: join(target, 'console'),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    legalComments: 'inline',
    logLevel: 'warning',
    write: false,
  });
  return outputFiles;
};

/** The page of the reference, of whose package src/api/system serves this one script. */
const copyReference = async (target) => {
  const path = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')).replace(
    /index\.js$/,
    'js/standalone.js',
  );
  return [{ path: join(target, 'reference.js'), text: await readFile(path, 'utf8') }];
};

/** Data stands beside the modules that read it, in dist/ as in the sources. */
const copyData = async (source, target) =>
  Promise.all(
    (await builtData(source)).map(async (name) => ({
      path: join(target, name),
      text: await readFile(join(source, name), 'utf8'),
    })),
  );

/** A service may be running from dist/ and load modules lazily: unchanged files stay, changed ones are swapped whole. */
const write = async (path, text) => {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(dirname(path), { recursive: true });
  // The command line is a program of its own right.
  await writeFile(`${path}.${process.pid}`, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  await rename(`${path}.${process.pid}`, path);
};

/**
 * @param {string} root absolute path of the checkout
 * @param {string} target absolute path of dist/, from which modules of other sources are removed
 */
export const compile = async (root, target) => {
  const source = join(root, 'src');
  const parts = [
    compileModules(root, source, target),
    bundleSdk(root, target),
    copyReference(target),
    bundleConsole(root, target),
    copyData(source, target),
  ];
  const files = (await Promise.all(parts)).flat();
  for (const { path, text } of files) await write(path, text);
  const wanted = new Set(files.map(({ path }) => relative(target, path)));
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    const name = relative(target, join(entry.parentPath, entry.name));
    if (entry.isFile() && !wanted.has(name) && !name.startsWith('embedded.'))
      await rm(join(target, name), { force: true });
  }
};
