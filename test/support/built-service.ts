import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = join(ROOT, 'src') + sep;
const BUILD = join(ROOT, 'dist') + sep;

/** Modules of the build. Node.js loads them itself: nothing is transformed, and worker threads start as in production. */
export const BUILT_MODULE = new RegExp(`^${BUILD.replaceAll(/[.\\/]/g, '\\$&')}.*\\.js$`);

/** A Vite plugin with which flow tests import the built service: `../src/app.js` is `dist/app.js`. */
export const importBuiltService = (): Plugin => ({
  name: 'import the built service',
  enforce: 'pre',
  resolveId: (specifier, importer) => {
    // A specifier that is computed at run time arrives as a path from the root of the checkout.
    const path = specifier.startsWith('/src/') ? join(ROOT, specifier) : join(dirname(importer ?? ROOT), specifier);
    return path.startsWith(SOURCE) && path.endsWith('.js') ? join(BUILD, path.slice(SOURCE.length)) : null;
  },
});
