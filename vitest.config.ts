import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BUILT_MODULE, importBuiltService } from './test/support/built-service.js';
import { closingReporter } from './test/support/closing-reporter.js';
import { isBuildCurrent } from './test/support/current-build.js';
import { provesDatabase, touchesDatabase } from './test/support/database-dependency.js';
import { temporaryFolder } from './test/support/temporary-folder.js';

// The processes of the tests inherit it.
process.env.TMPDIR ??= temporaryFolder(tmpdir());

/**
 * These change or measure the process they run in: its environment variables, its listeners, its memory, its modules. Each gets a
 * process of its own. All others share one per worker, because loading the service takes longer than most of them.
 */
const ISOLATED = [
  'src/cache/memory.test.ts',
  'src/cli/dev/local-chain.test.ts',
  'src/cluster/supervisor.test.ts',
  'src/protocol/verify/pool.test.ts',
  'test/hostile-channel-client.long.test.ts',
  'test/hostile-document.long.test.ts',
  'test/hostile-domain.long.test.ts',
  'test/hostile-json.long.test.ts',
  'test/hostile-rpc.long.test.ts',
  'test/hostile-mini-app.long.test.ts',
  'test/hostile-model.long.test.ts',
  'test/hostile-payment-chain.long.test.ts',
  'test/hostile-source-image.long.test.ts',
  'test/outbound.test.ts',
  'test/start-failure.test.ts',
  'test/statement.test.ts',
];

const LONG = '**/*.long.test.ts';

/** Long tests (`npm run test:long`) run alone with `CASTELLAN_TEST_TIER=long`. */
const isLong = process.env.CASTELLAN_TEST_TIER === 'long';

/** With 1, only what proves something of the database itself; the rest is proved on the embedded one. */
const onlyDatabase = process.env.CASTELLAN_TEST_DATABASE_ONLY === '1';

/** With 0, each test file has a process and a database of its own. */
const isShared = process.env.CASTELLAN_TEST_SHARED !== '0';

/** Tests that never touch a database give the same result on each: the run on a server leaves them out. */
const provedElsewhere = (): string[] => {
  if (process.env.TEST_DATABASE_URL === undefined) return [];
  const isNeeded = onlyDatabase ? provesDatabase : touchesDatabase;
  return ['src', 'test']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && !isNeeded(file));
};

const exclude = ['**/node_modules/**', ...(isLong ? [] : [LONG]), ...provedElsewhere()];

const settings = {
  setupFiles: ['test/support/property-seed.ts', 'test/support/release-check.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // A poll ends as soon as its condition holds; a busy machine may need this long.
  expect: { poll: { timeout: 30_000 } },
};

/** The tests of some folders: those that share a process, and those with one of their own. */
const projects = (
  name: string,
  folders: readonly string[],
  more: TestProjectConfiguration = {},
): TestProjectConfiguration[] => {
  const isHere = (file: string): boolean => folders.some((folder) => file.startsWith(`${folder}/`));
  const include = folders.map((folder) => `${folder}/${isLong ? LONG : '**/*.test.ts'}`);
  const isolated = ISOLATED.filter((file) => file.includes('.long.') === isLong && isHere(file));
  const { test, ...rest } = more as { readonly test?: object };
  return [
    { ...rest, test: { ...settings, ...test, name, include, exclude: [...exclude, ...ISOLATED], isolate: !isShared } },
    { ...rest, test: { ...settings, ...test, name: `${name}, isolated`, include: isolated, exclude } },
  ];
};

const onBuild = { plugins: [importBuiltService()], test: { server: { deps: { external: [BUILT_MODULE] } } } };

/** While somebody edits sources, unit tests run those; a build that is current is the same without being transformed. */
const isBuilt = process.argv.includes('run') && (await isBuildCurrent());

export default defineConfig({
  test: {
    // Here and not in the settings of the projects: it runs once, not once for each of them.
    globalSetup: ['test/support/template-setup.ts'],
    reporters: ['default', closingReporter],
    pool: 'forks',
    // Tests wait for a third of their time. A process more takes ten seconds of processor time to load the service, and a
    // server accepts only 100 connections by default.
    maxWorkers: 3,
    projects: isBuilt
      ? projects('all', ['src', 'test'], onBuild)
      : [
          ...projects('unit', ['src']),
          ...projects('flow', ['test'], {
            ...onBuild,
            test: { ...onBuild.test, globalSetup: ['test/support/current-build.ts'] },
          }),
        ],
  },
});
