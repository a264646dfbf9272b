// Makes dist/embedded.tar.gz: the embedded database's folder right after `initdb`. Unpacking it takes a third of
// making one, which a test run pays for every database and an installed package at its first start.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the dump unless the one in `target` comes from the installed version of the engine. */
export const makeEmbeddedDump = async (root, target) => {
  const manifest = join(root, 'node_modules/@electric-sql/pglite/package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const stamp = join(target, 'embedded.version');
  if ((await readFile(stamp, 'utf8').catch(() => undefined)) === version) return;
  console.error('Preparing the embedded database (once) ...');
  const { PGlite } = await import('@electric-sql/pglite');
  const engine = await PGlite.create();
  await engine.exec('checkpoint');
  const dump = await engine.dumpDataDir('gzip');
  await engine.close();
  const draft = join(target, `embedded.tar.gz.${process.pid}`);
  await writeFile(draft, new Uint8Array(await dump.arrayBuffer()));
  await rename(draft, join(target, 'embedded.tar.gz'));
  await writeFile(stamp, version);
};
