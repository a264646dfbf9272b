// Makes dist/embedded.tar.gz: an empty database folder, so that a first start need not run initdb.
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';

const target = new URL('../dist/embedded.tar.gz', import.meta.url);
if (!existsSync(target)) {
  await mkdir(new URL('../dist/', import.meta.url), { recursive: true });
  const engine = new PGlite();
  await engine.waitReady;
  await engine.exec('checkpoint');
  const dump = await engine.dumpDataDir('gzip');
  await engine.close();
  const part = new URL(`../dist/embedded.${process.pid}.part`, import.meta.url);
  await writeFile(part, Buffer.from(await dump.arrayBuffer()));
  await rename(part, target);
}
