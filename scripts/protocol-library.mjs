// Makes dist/protocol-library.js: what src/ imports of @farcaster/core and @farcaster/hub-nodejs. An import of the packages
// themselves makes examples for tests, with a library of invented names, and loads all chains that viem knows: 0.4 s and
// 30 MB in each process.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

const PACKAGES = ['@farcaster/core', '@farcaster/hub-nodejs'];
const FILE = 'protocol-library.js';
const IMPORT = /^import \{([^}]*)\} from "(@farcaster\/(?:core|hub-nodejs))";$/gm;

/** Lines of @farcaster/core before and after its examples. */
const EXAMPLES = ['\n// src/factories.ts\n', '\n// src/userNameProof.ts\n'];
/** Makes one object of all its checks of messages, which nothing here uses. */
const CHECKS = '\n__export(validations_exports,';
/** Might name every variable, so that none could be left out. */
const EVAL = ' eval(';

/** @returns the source of a package, of which esbuild can leave out what is not imported */
const separable = (name, source) => {
  const text = source.replaceAll(EVAL, ' (0, eval)(');
  if (name !== 'core') return text;
  const [begin, end, list, checks] = [...EXAMPLES, '\nexport {', CHECKS].map((part) => text.indexOf(part));
  if (begin === -1 || checks === -1 || end < begin || list < end)
    throw new Error('scripts/protocol-library.mjs does not know the structure of this @farcaster/core.');
  const examples = text.slice(begin, end);
  const isExample = (exported) =>
    new RegExp(`^(?:var|let|const|function|class) ${exported.trim().split(' ')[0]}\\b`, 'm').test(examples);
  const names = text.slice(text.indexOf('{', list) + 1, text.indexOf('}', list)).split(',');
  const left = `${text.slice(0, begin)}${text.slice(end, list)}`.replace(CHECKS, `\n/* @__PURE__ */${CHECKS.trim()}`);
  return `${left}\nexport {${names.filter((exported) => !isExample(exported)).join(',')}};`;
};

/** @returns statements that export what the modules import */
const entry = (modules) =>
  PACKAGES.map((name) => {
    const imports = modules.flatMap(({ text }) => [...text.matchAll(IMPORT)]).filter(([, , from]) => from === name);
    const names = imports.flatMap(([, list]) => list.split(',').map((one) => one.trim().split(' ')[0]));
    return `export { ${[...new Set(names)].sort().join(', ')} } from '${name}';`;
  }).join('\n');

/**
 * @param {string} root absolute path of the checkout
 * @param {string} target absolute path of dist/
 * @param {{ path: string, text: string }[]} modules what esbuild made of src/
 * @returns the modules, which import the library instead of the packages, and the library
 */
export const withProtocolLibrary = async (root, target, modules) => {
  const path = join(target, FILE);
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: entry(modules), resolveDir: root },
    outfile: path,
    // Its comments name files: as in the checkout, also where node_modules is a link.
    preserveSymlinks: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: `/* Parts of ${PACKAGES.join(' and ')}, MIT licence, https://github.com/farcasterxyz/hub-monorepo */`,
    },
    legalComments: 'inline',
    logLevel: 'warning',
    write: false,
    external: ['@grpc/grpc-js', '@noble/curves'],
    plugins: [
      {
        name: 'only what is imported',
        setup: ({ onLoad, onResolve }) => {
          onLoad({ filter: /@farcaster.(core|hub-nodejs).dist.index\.mjs$/ }, async ({ path: file }) => ({
            contents: separable(file.split(sep).at(-3), await readFile(file, 'utf8')),
          }));
          // viem/chains has hundreds, of which four are named here.
          onResolve({ filter: /^viem(\/ens)?$/ }, ({ path: name }) => ({
            path: name,
            external: true,
            sideEffects: false,
          }));
        },
      },
    ],
  });
  const rewritten = modules.map((module) => ({
    path: module.path,
    text: module.text.replace(IMPORT, (statement, _, from) =>
      statement.replace(
        from,
        relative(dirname(module.path), path)
          .split(sep)
          .join('/')
          .replace(/^(?!\.)/, './'),
      ),
    ),
  }));
  return [...rewritten, { path, text: outputFiles[0].text }];
};
