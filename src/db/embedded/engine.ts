import { existsSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { guardEngine } from './guard.js';
import { readTemplate } from './template.js';

/**
 * The engine fills its buffers with zeros when it opens, so that all of them are memory in use. Reading what they do not
 * hold is a copy from the system's cache: with the sample network, 32 MB are as fast as the 128 MB of PostgreSQL's default.
 */
const SETTINGS = ['shared_buffers=32MB'];

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
 * Opens PGlite on a folder, or in memory without one. A new database has the schema already if the build has made it.
 * @throws when the folder is not a database folder or cannot be written
 */
export const openEngine = async (dataDir: string | undefined): Promise<PGlite> => {
  const fresh = dataDir === undefined || !existsSync(join(dataDir, 'PG_VERSION'));
  const template = fresh ? await readTemplate() : undefined;
  const engine = new PGlite({
    extensions: { loadedWhenUsed, cube, pg_trgm },
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(template === undefined ? {} : { loadDataDir: new Blob([template]) }),
  });
  await engine.waitReady;
  if (fresh && dataDir !== undefined) await restrictAccess(dataDir);
  guardEngine(engine);
  return engine;
};
