import { afterEach, expect, test } from 'vitest';
import { delay } from '../../../test/support/delay.js';
import { openEmbedded } from './embedded.js';

interface Made {
  readonly exports?: object;
  readonly instance?: { readonly exports: object };
}
type Instantiate = (...args: unknown[]) => Promise<Made>;

const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { instantiate: Instantiate } };
const { instantiate } = wasm;
afterEach(() => {
  wasm.instantiate = instantiate;
});

/** Simulates a machine on which one library of an extension compiles slowly. @param mark a function of that library */
const slowDown = (mark: string): void => {
  wasm.instantiate = async (...args) => {
    const made = await instantiate(...args);
    if (mark in (made.instance?.exports ?? made.exports ?? {})) await delay(300);
    return made;
  };
};

test.each(['cube_in', 'similarity_op'])(
  'extensions work, whichever is ready last: that with %s',
  async (mark) => {
    slowDown(mark);
    const db = await openEmbedded({});
    // The build's template has both already.
    await db.script(
      'drop schema public cascade; create schema public; create extension cube; create extension pg_trgm',
    );
    expect(
      await db.run(`select 'frank' % 'frankly' as alike, cube(array[1, 2]) <-> cube(array[4, 6]) as distance`),
    ).toEqual([{ alike: true, distance: 5 }]);
    await db.close();
  },
  60_000,
);
