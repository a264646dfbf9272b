import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrations } from '../migrate.js';

/**
 * The folder of an embedded database with the schema and nothing else, packed by the build (scripts/embedded-template.mjs):
 * unpacking it takes a tenth of the time of making one.
 */
export const TEMPLATE = 'embedded.tar.gz';
/** What the template was made from. */
export const TEMPLATE_STAMP = 'embedded.stamp';

const BUILD = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** @returns what a template of the current migrations has as its stamp */
export const templateStamp = async (): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify(await readMigrations()))
    .digest('hex');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * @param folder where the build has put it
 * @returns the template; undefined if none was built, or one of other migrations
 */
export const readTemplate = async (folder = BUILD): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  try {
    if ((await readFile(join(folder, TEMPLATE_STAMP), 'utf8')) !== (await templateStamp())) return undefined;
    return new Uint8Array(await readFile(join(folder, TEMPLATE)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};
