import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, freePort, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 180_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

describe('castellan dev', () => {
  it('reports which port is in use and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const environment = { ...(await work.newStore()), PORT: String(port), CASTELLAN_METRICS_PORT: 'off' };
    const { code, err } = await castellan(['dev', '--no-sample'], environment);
    other.close();
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} cannot be used`);
    expect(err).toContain('Set PORT');
    expect(err).not.toMatch(/^ +at /m);
  });

  it('takes the next free port for the metrics if another service has the usual one, and prints it', async () => {
    const other = createServer();
    // Another service of this machine may listen there already.
    const begun = new Promise((resolve) => other.once('listening', resolve).once('error', resolve));
    other.listen(9464, '127.0.0.1');
    await begun;
    const environment = { ...(await work.newStore()), PORT: String(await freePort()) };
    const service = work.start(['dev', '--no-sample'], environment);
    await service.shows('curl');
    other.close();
    const [, url = '', port = ''] = /Metrics +(http:\/\/127\.0\.0\.1:(\d+)\/metrics)/.exec(service.out()) ?? [];
    expect(Number(port)).toBeGreaterThan(9464);
    expect(await (await fetch(url)).text()).toContain('castellan_');
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
    const asked = { ...environment, CASTELLAN_METRICS_PORT: environment.PORT };
    expect((await castellan(['dev', '--no-sample'], asked)).err).toContain('CASTELLAN_METRICS_PORT');
  });

  it('loads the sample network once and prints requests that work when pasted', async () => {
    const environment = { ...(await work.newStore()), PORT: String(await freePort()), CASTELLAN_METRICS_PORT: 'off' };
    const first = work.start(['dev', '--still'], environment);
    await first.shows('/v2/social/cast/');
    const lines = first.out().match(/curl .*/g) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -f`]);
      expect(JSON.parse(stdout)).toEqual(expect.any(Object));
      expect(stdout.length).toBeGreaterThan(300);
    }
    const audit = await castellan(['audit'], environment);
    expect(audit.out).toContain('No difference');
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = work.start(['dev', '--still'], environment);
    await second.shows('/v2/social/cast/');
    expect(second.err()).not.toContain('messages');
  });

  it('stops gracefully, and ignores the echo of the first signal', async () => {
    const service = await work.startDev(await work.newStore());
    service.child.kill('SIGINT');
    service.child.kill('SIGINT');
    expect((await service.ended).code).toBe(0);
  });

  it('stops gracefully in spite of a connection without a request and of a request that does not end', async () => {
    const service = await work.startDev(await work.newStore());
    const open = async () => {
      const socket = connect(Number(service.environment.PORT), '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    await open();
    (await open()).write('GET /health/live HTTP/1.1\r\n');
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL === undefined)('castellan dev on its data folder', () => {
  it('locks its folder, and restarts at once after kill -9 with all acknowledged data', async () => {
    const { file } = await work.writeSample('small.ndjson', { accounts: 12, casts: 30, reactions: 30, follows: 30 });
    const store = await work.newStore();
    const dataDir = store.CASTELLAN_DATA_DIR as string;
    const first = await work.startDev({ CASTELLAN_DATA_DIR: dataDir });
    const second = await castellan(['dev'], { ...first.environment, PORT: String(await freePort()) });
    expect(second.code).toBe(1);
    expect(second.err).toContain(`process ${first.child.pid}`);
    expect(second.err).toContain('CASTELLAN_DATA_DIR');
    await castellan(['import', file], first.environment);
    first.child.kill('SIGKILL');
    await first.ended;
    // Without CASTELLAN_HUB_NETWORK, a command detects the folder of a development service and accepts messages of the devnet.
    const alone = await castellan(['import', file], { CASTELLAN_DATA_DIR: dataDir });
    expect(alone.out).toMatch(/^invalid +0$/m);
    expect(alone.out).toMatch(/^merged +0$/m);
    const again = await work.startDev({ CASTELLAN_DATA_DIR: dataDir });
    const { fids } = (await (await again.get('/v1/fids?shard_id=1&pageSize=100')).json()) as { fids: number[] };
    expect(fids).toHaveLength(12);
    for (const name of ['api-key', 'master-key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  it('runs a command while another one holds the folder', async () => {
    const environment = await work.migratedStore();
    const names = ['a', 'b', 'c', 'd'];
    const made = await Promise.all(names.map((name) => castellan(['key', 'create', name], environment)));
    for (const one of made) expect(one).toMatchObject({ code: 0, out: expect.stringMatching(/^cst_/) });
    const { out } = await castellan(['key', 'list'], environment);
    for (const name of names) expect(out).toMatch(new RegExp(`  ${name} `));
  });
});
