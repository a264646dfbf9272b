import { defineConfig } from 'vitest/config';
import { BUILT_MODULE, importBuiltService } from './test/support/built-service.js';
import { closingReporter } from './test/support/closing-reporter.js';

/** Faults (`npm run faults`), one after the other: each measures, on a machine that has nothing else to do. */
export default defineConfig({
  plugins: [importBuiltService()],
  test: {
    include: ['fault/*.fault.ts'],
    globalSetup: ['test/support/current-build.ts', 'test/support/template-setup.ts'],
    hookTimeout: 120_000,
    reporters: ['default', closingReporter],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    server: { deps: { external: [BUILT_MODULE] } },
  },
});
