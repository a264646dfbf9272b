/**
 * Completes package-lock.json, here and in the folders of programs that tests run: packages that npm installs on other
 * platforms only must stand in it, or `npm ci` refuses the whole file there and here. A registry that lacks them makes npm
 * leave them out without a word.
 *
 *   tsx scripts/lock-file.ts           adds what is missing
 *   tsx scripts/lock-file.ts --check   exits 1 when something is missing
 */
import { readFile, writeFile } from 'node:fs/promises';

const FILES = ['', 'test/analytics/programs/', 'test/chart/programs/', 'test/compatibility/programs/'].map(
  (folder) => `${folder}package-lock.json`,
);

interface Entry {
  version: string;
  dev?: boolean;
  license?: string;
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [other: string]: unknown;
}

/** npm's name of a processor that some packages name as Go does. */
const CPU: Readonly<Record<string, string>> = { amd64: 'x64' };

/** @returns the entry of a package for the platform that its name ends in: `cli-darwin-arm64`, `binding-linux-x64-musl`. */
const entryOf = (name: string, version: string, parent: Entry): Entry => {
  const [os, cpu, libc] = name.replace(/^.*?\/\w+-/, '').split('-');
  return {
    version,
    cpu: [CPU[cpu as string] ?? cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(os === 'linux' && libc ? { libc: [libc.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
    ...(parent.license ? { license: parent.license } : {}),
    optional: true,
    os: [os],
    ...(parent.engines ? { engines: parent.engines } : {}),
  };
};

for (const name of FILES) {
  const file = new URL(`../${name}`, import.meta.url);
  const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, Entry> };
  const missing = Object.entries(lock.packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(
        ([optional]) =>
          !lock.packages[`node_modules/${optional}`] && !lock.packages[`${path}/node_modules/${optional}`],
      )
      .map(([optional, version]) => ({ name: optional, version, parent })),
  );
  if (missing.length === 0) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} lacks ${missing.map((one) => one.name).join(', ')}: run \`npm run lock\`.`);
    process.exitCode = 1;
    continue;
  }
  for (const one of missing) lock.packages[`node_modules/${one.name}`] = entryOf(one.name, one.version, one.parent);
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}
