import { expect } from 'vitest';

/** The test file that uses each database that was lent and not yet returned, by what was lent. */
const users = new Map<object, string>();

/** @returns the path of the test file that runs now */
export const currentFile = (): string => expect.getState().testPath ?? 'a program';

/** Notes that the test file that runs now uses a database. */
export const noteLease = (lease: object): void => {
  users.set(lease, currentFile());
};

/** Notes that a database was returned. */
export const noteRelease = (lease: object): void => {
  users.delete(lease);
};

/** @throws Error when a test file ends with a service that runs or a database that it still uses */
export const requireReleased = (): void => {
  const file = [...users.values()][0];
  users.clear();
  if (file === undefined) return;
  throw new Error(`${file} ended without releasing its database: it must stop its services and drop its databases.`);
};
