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

/** @returns a copy of the database with the migrations of a checkout, as one that has just been vacuumed */
const copyFor = async (name: keyof BuildPair, checkout: string, target: Target): Promise<Target> => {
  const copy = await target.copy(name);
  const env = { PATH: process.env.PATH, ...copy.environment };
  // Migrates before the start, whose timeout is too short for a migration of many rows.
  try {
    await promisify(execFile)(process.execPath, [builtFile(checkout, ENTRY), 'migrate'], { env });
    await copy.vacuum();
  } catch (error) {
    await copy.drop();
    throw error;
  }
  return copy;
};

/**
 * Both builds use one database unless the migrations of the new one would break the old one. Then each gets a copy: the same
 * build is a tenth slower on a copy than on the database that was loaded.
 */
export const openSides = async (
  checkouts: Comparison<string>,
  target: Target,
): Promise<{ sides: BuildPair; drop: () => Promise<void> }> => {
  const migrations = await both(checkouts, migrationsOf);
  if (migrations.old === migrations.new) {
    const sides = await both(checkouts, async (checkout) => ({ checkout, target }));
    return { sides, drop: async () => undefined };
  }
  const old = await copyFor('old', checkouts.old, target);
  try {
    const fresh = await copyFor('new', checkouts.new, target);
    const drop = async (): Promise<void> => {
      await old.drop();
      await fresh.drop();
    };
    return {
      sides: { old: { checkout: checkouts.old, target: old }, new: { checkout: checkouts.new, target: fresh } },
      drop,
    };
  } catch (error) {
    await old.drop();
    throw error;
  }
};
