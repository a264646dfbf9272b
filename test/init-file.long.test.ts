import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { buildProgram, castellan, freePort, TestWorkspace } from './support/castellan.js';
import { makeAuthority, makeCertificate } from './support/certificate.js';
import { openStream } from './support/event-stream.js';
import { until } from './support/hub-fixture.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const DOMAIN = 'social.example';
const has = (program: string): boolean => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;

const work = new TestWorkspace();
let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  await buildProgram();
  network = await startNetwork({ CASTELLAN_TRUSTED_PROXIES: '127.0.0.1,::1', CASTELLAN_PUBLIC_READS: 'off' });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(async () => {
  await network.stop();
  await work.clear();
});

const ending: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ending.splice(0).map((end) => end())));

/** @returns the text of a file that `castellan init` writes for this domain */
const written = async (name: string, ...options: readonly string[]): Promise<string> => {
  const folder = join(work.folder, name);
  const database = ['--database', 'postgres://castellan@127.0.0.1/castellan'];
  const args = ['init', '--folder', folder, '--domain', DOMAIN, ...database, '--hub', 'none', '--no-check', ...options];
  expect(await castellan(args, {})).toMatchObject({ code: 0 });
  return readFileSync(join(folder, name), 'utf8');
};

/** Starts a proxy in the foreground, until the end of the test. */
const startProxy = (program: string, args: readonly string[]): void => {
  const stdio = process.env.TEST_LOG_LEVEL === undefined ? 'ignore' : 'inherit';
  const environment = { ...process.env, HOME: work.folder, XDG_DATA_HOME: work.folder, XDG_CONFIG_HOME: work.folder };
  const child = spawn(program, args, { stdio, env: environment });
  const ended = once(child, 'exit');
  ending.push(() => {
    child.kill();
    return ended;
  });
};

/** What people need of a proxy: answers, streams that arrive at once, WebSockets, and large writes. */
const servesThrough = async (proxy: string): Promise<void> => {
  const headers = { host: DOMAIN, 'x-api-key': network.apiKey };
  await until(async () => {
    const answer = await fetch(`${proxy}/health/live`).catch(() => undefined);
    return answer?.ok === true;
  }, 20_000);
  const user = await fetch(`${proxy}/v2/social/user/bulk/?fids=${FIDS.alice}`, { headers });
  expect(user.status).toBe(200);
  expect(await user.json()).toMatchObject({ users: [{ fid: FIDS.alice }] });

  const subscription = JSON.stringify({ 'cast.created': { author_fids: [FIDS.erin] } });
  const stream = await openStream(`${proxy}/v2/social/stream/?${new URLSearchParams({ subscription })}`, headers);
  expect(stream.status).toBe(200);
  // The first block, with which a stream begins, is sent at once, and each event when it happens.
  await expect.poll(() => stream.blocks).toHaveLength(1);
  await seeded.send(seeded.erin.cast({ text: `through ${proxy}` }));
  await expect.poll(() => stream.events.map(({ data }) => data.text)).toEqual([`through ${proxy}`]);
  const metric = network.app.services.metrics.registry.getSingleMetric('castellan_streams');
  const openStreams = async () => (await metric?.get())?.values.reduce((sum, { value }) => sum + value, 0);
  expect(await openStreams()).toBe(1);
  stream.close();
  // Before the next heartbeat, which is when a write would fail.
  await expect.poll(openStreams, { timeout: 5_000 }).toBe(0);

  const socket = new WebSocket(`${proxy.replace('http', 'ws')}/v2/social/stream/`, { headers });
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open'),
    once(socket, 'unexpected-response').then(([, response]) => `status ${response.statusCode}`),
  ]);
  socket.terminate();
  expect(outcome).toBe('open');
};

describe.skipIf(!has('nginx'))('nginx (skipped where it is not installed)', () => {
  test('serves the site that init writes', async () => {
    const site = await written('nginx.conf', '--proxy', 'nginx');
    const folder = join(work.folder, 'nginx');
    mkdirSync(folder, { recursive: true });
    const { key, cert } = await makeCertificate(await makeAuthority(), [DOMAIN]);
    writeFileSync(join(folder, 'privkey.pem'), key);
    writeFileSync(join(folder, 'fullchain.pem'), cert);
    const [plain, secure] = [await freePort(), await freePort()];
    // As it stands, but for what this machine does not have: the ports, the certificate, and the port of the service.
    const here = site
      .replaceAll(/listen (\[::\]:)?80;/g, (_, v6) => (v6 === undefined ? `listen 127.0.0.1:${plain};` : ''))
      .replaceAll(/listen (\[::\]:)?443 ssl;/g, (_, v6) => (v6 === undefined ? `listen 127.0.0.1:${secure} ssl;` : ''))
      .replaceAll(`/etc/letsencrypt/live/${DOMAIN}`, folder)
      .replaceAll('http://127.0.0.1:3000', network.url);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(' ');
    // Nothing in the site depends on TLS: a second server with it, without the certificate, is what the test talks to.
    const open = await freePort();
    const inner = here
      .slice(here.indexOf(`listen 127.0.0.1:${secure} ssl;`) - 'server {\n  '.length)
      .replace(`listen 127.0.0.1:${secure} ssl;`, `listen 127.0.0.1:${open};`)
      .replaceAll(/ssl_certificate.*;/g, '');
    const wrapper = `pid ${folder}/pid; error_log ${folder}/error.log; daemon off; events {}
      http { access_log off; ${temporary} ${here} ${inner} }`;
    writeFileSync(join(folder, 'whole.conf'), wrapper);
    await promisify(execFile)('nginx', ['-t', '-p', folder, '-c', join(folder, 'whole.conf')]);
    startProxy('nginx', ['-p', folder, '-c', join(folder, 'whole.conf')]);
    await servesThrough(`http://127.0.0.1:${open}`);
    const redirect = await fetch(`http://127.0.0.1:${plain}/docs?a=1`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      308,
      expect.stringMatching(/^https:.*\/docs\?a=1$/),
    ]);
  });
});

describe.skipIf(!has('caddy'))('Caddy (skipped where it is not installed)', () => {
  test('serves the site that init writes', async () => {
    const site = await written('Caddyfile', '--proxy', 'caddy');
    const port = await freePort();
    const file = join(work.folder, 'Caddyfile-here');
    // As it stands, but for the domain, for which Caddy would get a certificate, and the port of the service.
    const here = site
      .replace(`${DOMAIN} {`, `:${port} {`)
      .replace('http://', '')
      .replace('127.0.0.1:3000', new URL(network.url).host);
    writeFileSync(file, `{\n\tadmin off\n}\n${here}`);
    const adapter = ['--config', file, '--adapter', 'caddyfile'];
    await promisify(execFile)('caddy', ['validate', ...adapter], { env: { ...process.env, HOME: work.folder } });
    startProxy('caddy', ['run', ...adapter]);
    await servesThrough(`http://127.0.0.1:${port}`);
  });
});

describe.skipIf(!has('systemd-analyze'))('systemd (skipped where it is not installed)', () => {
  test('finds no fault in the unit that init writes', async () => {
    await written('castellan.service', '--proxy', 'none');
    const unit = join(work.folder, 'castellan.service', 'castellan.service');
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', unit]);
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('castellan'))).toEqual([]);
  });
});

describe.skipIf(!has('promtool'))('Prometheus (skipped where promtool is not installed)', () => {
  test('finds no fault in the metrics', async () => {
    await network.get(`/v2/social/user/bulk/?fids=${FIDS.alice}`);
    const text = await network.app.services.metrics.registry.metrics();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });
});
