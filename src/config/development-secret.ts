import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './reader.js';
import { MasterKey, Secret } from './secret.js';

/**
 * Reads a secret from a file of the data folder, which it creates if needed with mode 0600. A complete file is linked
 * into place, so that two processes that start at once read the same secret.
 */
const readOrCreate = (dataDir: string, name: string, generate: () => string): string => {
  const path = join(dataDir, name);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${generate()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
};

/** File names of the generated keys in the data folder. */
export const DEVELOPMENT_KEY_FILES = { apiKey: 'api-key', masterKey: 'master-key' } as const;

/** @returns whether the development profile has generated keys in this folder. */
export const hasDevelopmentSecrets = (dataDir: string): boolean =>
  Object.values(DEVELOPMENT_KEY_FILES).some((name) => existsSync(join(dataDir, name)));

/** Replaces a file of the data folder atomically; mode 0600. */
const replaceFile = (dataDir: string, name: string, text: string): void => {
  const path = join(dataDir, name);
  if (existsSync(path) && readFileSync(path, 'utf8').trim() === text) return;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
};

/**
 * @param given keys from the environment. The API key is also written to its file, which thus always contains the key
 *   that the service accepts; a given master key is not written.
 * @returns the keys of the development profile; missing ones are generated once for each data folder
 * @throws ConfigError if the folder is not writable or a key file is damaged
 */
export const readDevelopmentSecrets = (
  dataDir: string,
  given: { readonly apiKey?: Secret | undefined; readonly masterKey?: MasterKey | undefined } = {},
): { apiKey: Secret; masterKey: MasterKey } => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const masterKey =
      given.masterKey ?? MasterKey.parse(readOrCreate(dataDir, DEVELOPMENT_KEY_FILES.masterKey, MasterKey.generate));
    if (given.apiKey) replaceFile(dataDir, DEVELOPMENT_KEY_FILES.apiKey, given.apiKey.reveal());
    const apiKey = readOrCreate(dataDir, DEVELOPMENT_KEY_FILES.apiKey, () => randomBytes(24).toString('base64url'));
    if (apiKey === '' || !masterKey) throw new Error('a key file there is damaged');
    return { apiKey: new Secret(apiKey), masterKey };
  } catch (error) {
    const problem = `"${dataDir}" cannot keep the development keys: ${(error as Error).message}.`;
    throw new ConfigError([{ variable: 'CASTELLAN_DATA_DIR', problem }]);
  }
};

/** @returns the generated master key of the folder; undefined if there is none. Nothing is written. */
export const readGeneratedMasterKey = (dataDir: string): MasterKey | undefined => {
  const path = join(dataDir, DEVELOPMENT_KEY_FILES.masterKey);
  return existsSync(path) ? readDevelopmentSecrets(dataDir).masterKey : undefined;
};
