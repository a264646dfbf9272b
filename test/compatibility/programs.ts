import { existsSync } from 'node:fs';

/** Programs that are too large for the tools of the project have a folder, a package.json and a lock file of their own. */
const FOLDER = new URL('programs/', import.meta.url);

const isInstalled = existsSync(new URL('node_modules/.package-lock.json', FOLDER));

/** Whether to leave out the tests of these programs: never in CI, where {@link requirePrograms} fails instead. */
export const withoutPrograms = !isInstalled && process.env.CI !== 'true';

/** @throws Error that says how to install them, if they are not */
export const requirePrograms = (): void => {
  if (!isInstalled) throw new Error('The programs are not installed: npm ci --prefix test/compatibility/programs');
};
