import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../src/app.js';
import { loadConfig } from '../src/config/config.js';
import { embeddedFolder } from '../src/db/data-folder.js';
import { createLog } from '../src/log.js';
import { freePort } from './support/castellan.js';
import { copyEmbeddedTemplate, createMigratedDatabase, databaseUrl, onServer } from './support/template.js';

const serverUrl = process.env.TEST_DATABASE_URL;
const database = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
const other = createServer();
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-start-'));
  if (serverUrl === undefined) await copyEmbeddedTemplate(embeddedFolder(folder));
  else await createMigratedDatabase(serverUrl, database);
  await once(other.listen(0, '127.0.0.1'), 'listening');
  environment = {
    CASTELLAN_DATA_DIR: folder,
    CASTELLAN_METRICS_PORT: String((other.address() as AddressInfo).port),
    PORT: String(await freePort()),
    CASTELLAN_HUB_HTTP_PORT: String(await freePort()),
    ...(serverUrl === undefined ? {} : { DATABASE_URL: databaseUrl(serverUrl, database) }),
  };
});
afterAll(async () => {
  other.close();
  if (serverUrl !== undefined) await onServer(serverUrl, `drop database if exists ${database} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

/** Collects where timers, connections, ports and threads were opened, also those that do not keep a process alive. */
const watchResources = () => {
  const open = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => {
      if (!/^(Timeout|TCPWRAP|TCPSERVERWRAP|PIPEWRAP|WORKER)$/.test(type)) return;
      const { stack = '' } = new Error(type);
      if (!/\/(vitest|@vitest)\//.test(stack)) open.set(id, stack);
    },
    destroy: (id) => void open.delete(id),
  }).enable();
  return { open, end: () => void hook.disable() };
};

test('a service whose metrics port is in use fails to start, and leaves nothing open', async () => {
  const config = { ...loadConfig('dev', environment), verifyThreads: 0 };
  const { open, end } = watchResources();
  const app = await createApp(config, { log: createLog('silent') });
  await expect(app.start()).rejects.toMatchObject({ code: 'EADDRINUSE', port: config.metrics?.port });
  await expect.poll(() => [...open.values()]).toEqual([]);
  end();
  await expect(app.core.db.run('select 1')).rejects.toThrow();
  for (const port of [config.port, config.hubHttpPort]) {
    const free = createServer().listen(port, '127.0.0.1');
    await once(free, 'listening');
    free.close();
  }
  // What the command line does after each start that failed.
  await app.stop();
});
