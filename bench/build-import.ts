import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OWN = fileURLToPath(new URL('..', import.meta.url));

/** @returns the checkout whose build runs: that of `--dist` or the parent process, by default this one */
export const defaultCheckout = (): string => resolve(process.env.BENCH_CHECKOUT ?? OWN);

/** @returns the absolute path of a file of a checkout's build */
export const builtFile = (checkout: string, path: string): string => resolve(checkout, 'dist', path);

/**
 * Imports a module of `dist/`: the production build is measured, not the sources in a development loader.
 * @param path of the module as in `src/`, ending in `.js`
 */
export const importBuilt = <Module>(path: string): Promise<Module> =>
  import(pathToFileURL(builtFile(defaultCheckout(), path)).href) as Promise<Module>;
