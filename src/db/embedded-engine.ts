import { existsSync } from 'node:fs';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { guardEngine } from './embedded-guard.js';

/** A database folder right after `initdb`, created by the build: unpacking it takes a tenth of the time of `initdb`. */
const INITIAL_DUMP = fileURLToPath(new URL('../../dist/embedded.tar.gz', import.meta.url));

/**
 * Loads libraries of extensions one by one, when PostgreSQL first needs them. PGlite loads all of them in advance and
 * in parallel; one that is ready early finds the symbols of another missing, is loaded a second time, and calls
 * functions at address 0 (docs/decisions/0004). Must come before the extensions.
 */
const loadedWhenUsed: Extension = {
  name: 'libraries loaded when used',
  setup: async (_engine, emscriptenOpts) => ({ emscriptenOpts: { ...emscriptenOpts, noWasmDecoding: true } }),
};

/** Takes all rights of others from what unpacking has made, as PostgreSQL does with what it makes itself. */
const restrictAccess = async (dataDir: string): Promise<void> => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  await chmod(dataDir, 0o700);
  for (const entry of entries) await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
};

/**
 * Opens PGlite on a folder, or in memory without one.
 * @throws when the folder is not a database folder or cannot be written
 */
export const openEngine = async (dataDir: string | undefined): Promise<PGlite> => {
  const fresh = dataDir === undefined || !existsSync(join(dataDir, 'PG_VERSION'));
  const dump = fresh && existsSync(INITIAL_DUMP) ? new Blob([new Uint8Array(await readFile(INITIAL_DUMP))]) : undefined;
  const engine = new PGlite({
    extensions: { loadedWhenUsed, cube, pg_trgm },
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
  });
  await engine.waitReady;
  if (fresh && dataDir !== undefined) await restrictAccess(dataDir);
  guardEngine(engine);
  return engine;
};
