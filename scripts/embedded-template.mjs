// Makes dist/embedded.tar.gz with what has just been built: see src/db/embedded/template.ts.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (target, name) => import(pathToFileURL(join(target, name)).href);

/**
 * Nothing connects to PostgreSQL's own templates: without them the folder has half the files, and opens in half the time.
 */
const WITHOUT_TEMPLATES = [
  "update pg_database set datistemplate = false, datallowconn = true where datname like 'template%'",
  'drop database template0',
  'drop database template1',
];

/** @returns the packed folder of a new database */
const makeTemplate = async (target, dataDir) => {
  const [{ openEmbedded }, { openEngine }, { migrate }] = await Promise.all(
    ['db/embedded/embedded.js', 'db/embedded/engine.js', 'db/migrate.js'].map((name) => load(target, name)),
  );
  const db = await openEmbedded({ dataDir });
  await migrate(db);
  for (const statement of WITHOUT_TEMPLATES) await db.run(statement);
  await db.close();
  const engine = await openEngine(dataDir);
  await engine.exec('checkpoint');
  const packed = await engine.dumpDataDir('gzip');
  await engine.close();
  return new Uint8Array(await packed.arrayBuffer());
};

/** Makes the template unless the one in `target` comes from the current migrations and the installed engine. */
export const makeEmbeddedTemplate = async (root, target) => {
  const { TEMPLATE, TEMPLATE_STAMP, templateStamp } = await load(target, 'db/embedded/template.js');
  const manifest = await readFile(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  const [file, stampFile, versionFile] = [TEMPLATE, TEMPLATE_STAMP, 'embedded.version'].map((name) =>
    join(target, name),
  );
  const wanted = `${await templateStamp()} ${JSON.parse(manifest).version}`;
  const read = (name) => readFile(name, 'utf8').catch(() => '');
  if (`${await read(stampFile)} ${await read(versionFile)}` === wanted) return;
  console.error('Preparing the embedded database (once) ...');
  // Without its stamp, the old one is not used to make the new one.
  await rm(stampFile, { force: true });
  const folder = await mkdtemp(join(tmpdir(), 'castellan-template-'));
  await writeFile(`${file}.${process.pid}`, await makeTemplate(target, join(folder, 'database')));
  await rename(`${file}.${process.pid}`, file);
  const [stamp, version] = wanted.split(' ');
  await writeFile(versionFile, version);
  await writeFile(stampFile, stamp);
  await rm(folder, { recursive: true, force: true });
};
