import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the folder of the embedded database; the data folder that contains it also has keys and sockets */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'database');

/** Whether the data folder has an embedded database. Opening one would create it. */
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  existsSync(join(embeddedFolder(dataDir), 'PG_VERSION'));

/** @returns the name that a restore gives the folder of the database before it puts another one in its place */
export const replacedFolder = (dataDir: string, at: Date): string =>
  `${embeddedFolder(dataDir)}.replaced-${at.toISOString().replaceAll(/[:.]/g, '-')}`;

/** @returns the folder that a restore has replaced last; undefined: none */
export const lastReplacedFolder = (dataDir: string): string | undefined => {
  if (!existsSync(dataDir)) return undefined;
  const name = readdirSync(dataDir)
    .filter((one) => one.startsWith('database.replaced-'))
    .sort()
    .at(-1);
  return name === undefined ? undefined : join(dataDir, name);
};
