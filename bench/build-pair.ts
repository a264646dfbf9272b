import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from './build-import.js';
import { ENTRY } from './service.js';
import type { Target } from './target.js';

/** Values of the old and the new build. */
export interface Comparison<Of> {
  readonly old: Of;
  readonly new: Of;
}

/** A checkout with its database. */
export interface Build {
  readonly checkout: string;
  readonly target: Target;
}
export type BuildPair = Comparison<Build>;

/** Makes one of each side, one after the other. */
export const both = async <From, To>({ old, new: fresh }: Comparison<From>, make: (from: From) => Promise<To>) => ({
  old: await make(old),
  new: await make(fresh),
});

const stopAll = (started: readonly { stop(): Promise<void> }[]): Promise<unknown> =>
  Promise.all(started.map((one) => one.stop()));

/** Starts one of each side. @returns both, and a function that stops them */
export const startBoth = async <Started extends { stop(): Promise<void> }>(
  sides: BuildPair,
  start: (side: Build) => Promise<Started>,
): Promise<{ started: Comparison<Started>; stop: () => Promise<unknown> }> => {
  const list: Started[] = [];
  try {
    const started = await both(sides, async (side) => {
      const one = await start(side);
      list.push(one);
      return one;
    });
    return { started, stop: () => stopAll(list) };
  } catch (error) {
    await stopAll(list);
    throw error;
  }
};

const migrationsOf = async (checkout: string): Promise<string> =>
  (await readdir(resolve(checkout, 'migrations'))).sort().join();

/** The new build gets a copy of the database if its migrations would break the old one. */
export const openSides = async (
  checkouts: Comparison<string>,
  target: Target,
): Promise<{ sides: BuildPair; drop: () => Promise<void> }> => {
  const old = { checkout: checkouts.old, target };
  const migrations = await both(checkouts, migrationsOf);
  if (migrations.old === migrations.new) {
    return { sides: { old, new: { ...old, checkout: checkouts.new } }, drop: async () => undefined };
  }
  const copy = await target.copy('copy');
  const env = { PATH: process.env.PATH, ...copy.environment };
  // Migrates before the start, whose timeout is too short for a migration of many rows.
  try {
    await promisify(execFile)(process.execPath, [builtFile(checkouts.new, ENTRY), 'migrate'], { env });
    await copy.vacuum();
  } catch (error) {
    await copy.drop();
    throw error;
  }
  return { sides: { old, new: { checkout: checkouts.new, target: copy } }, drop: copy.drop };
};
