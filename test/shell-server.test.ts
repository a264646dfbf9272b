import { once } from 'node:events';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMetricsServer } from '../src/api/metrics-server.js';
import { buildServer } from '../src/api/server.js';
import { type Shell, startShell } from './support/http-shell.js';
import { shellOperations } from './support/shell-operation.js';

const host = '127.0.0.1';
let shell: Shell;
let key: string;
let port: number;
beforeAll(async () => {
  shell = await startShell({ operations: shellOperations });
  key = await shell.key();
  port = await shell.server.listen({ host, port: 0 });
});
afterAll(() => shell.stop());

/** Stops the clock of timers that end a wait: time passes with `vi.advanceTimersByTime`. */
const holdTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};

/** Sends bytes as they are and reads until the other side closes. */
const sendRaw = (bytes: string, to = port): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(to, host, () => socket.end(bytes));
    socket.on('data', (part) => {
      text += part.toString();
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });

const get = (path: string, options: { agent?: Agent; to?: number; headers?: Record<string, string> } = {}) =>
  new Promise<{ status: number; body: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
    const { agent, to = port, headers } = options;
    const request = { host, port: to, path, ...(agent && { agent }), headers: { 'x-api-key': key, ...headers } };
    httpGet(request, (response) => {
      let body = '';
      response.on('data', (part) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
      response.on('error', reject);
    }).on('error', reject);
  });

describe('bytes that are no request', () => {
  const BROKEN = 'bad header\r\n\r\n';
  const LONG = `x-long: ${'x'.repeat(70_000)}\r\n\r\n`;

  /** @returns status, headers and body of an answer as it came */
  const parse = (text: string) => {
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const [line = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(lines.map((one) => one.split(': ', 2)));
    return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
  };

  test.each([
    ['noise', 'hello\r\n\r\n', 'v2'],
    ['a broken header', `GET /v1/testHub HTTP/1.1\r\nhost: x\r\n${BROKEN}`, 'hub'],
    ['a broken header of the portal', `GET /portal/test HTTP/1.1\r\nhost: x\r\n${BROKEN}`, 'portal'],
    ['a broken length', 'POST /v1/testBytes HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 'hub'],
    ['a method that is none', 'BREW /v2/pot HTTP/1.1\r\nhost: x\r\n\r\n', 'v2'],
  ])('%s is refused in words of the family of its address', async (_what, bytes, family) => {
    const { status, headers, body } = parse(await sendRaw(bytes));
    expect(status).toBe(400);
    expect(headers).toMatchObject({
      'content-length': String(Buffer.byteLength(body)),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    if (family === 'hub') expect(JSON.parse(body)).toMatchObject({ errCode: 'bad_request.parse_failure' });
    else expect(JSON.parse(body)).toMatchObject({ code: 'InvalidField', message: expect.any(String) });
    expect(JSON.parse(body).status).toBe(family === 'v2' ? 400 : undefined);
  });

  test.each([
    ['an endless address', `GET /v1/${'x'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['endless headers', `GET /v1/testHub HTTP/1.1\r\nhost: x\r\n${LONG}`],
  ])('%s is refused as too large, in words', async (_what, bytes) => {
    const { status, headers, body } = parse(await sendRaw(bytes));
    expect([status, headers['content-length']]).toEqual([431, String(Buffer.byteLength(body))]);
    expect(body).toContain('are longer than 65536 bytes');
  });

  test('headers that are too large are refused in words also when they come in several packets', async () => {
    const answer = new Promise<string>((resolve, reject) => {
      let text = '';
      const client = connect(port, host, async () => {
        client.write('GET /v2/test/rendered HTTP/1.1\r\nhost: x\r\n');
        // Each packet is parsed by itself; the one in which the limit is exceeded begins in the middle of a header.
        for (let packet = 0; packet < 12 && !client.destroyed; packet += 1) {
          await new Promise((written) => client.write(`x-${packet}: ${'y'.repeat(8_000)}\r\nz`, written));
          await new Promise((turn) => setImmediate(turn));
        }
      });
      client.setNoDelay(true);
      client.on('data', (part) => {
        text += part.toString();
      });
      client.on('close', () => resolve(text));
      client.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    });
    const { status, body } = parse(await answer);
    expect(status).toBe(431);
    expect(JSON.parse(body)).toMatchObject({ code: expect.any(String), message: expect.stringContaining('headers') });
  });

  test.each([
    ['a broken header', `HEAD /v2/test/rendered HTTP/1.1\r\nhost: x\r\n${BROKEN}`, 400],
    ['an address that cannot be routed', 'HEAD /v2/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
    ['an unknown address', 'HEAD /v2/nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 404],
    ['no key', 'HEAD /v2/test/rendered HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 401],
  ])('HEAD with %s has no body', async (_what, bytes, wanted) => {
    const { status, headers, body } = parse(await sendRaw(bytes));
    expect([status, body]).toEqual([wanted, '']);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('a request that does not end is let go with 408 and without a body', async () => {
    const own = buildServer(shell.services, { operations: shellOperations });
    const { server } = own.fastify;
    const to = await own.listen({ host, port: 0 });
    const opened = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const answer = new Promise<string>((resolve) => {
      const client = connect(to, host, () => client.write('HEAD /v2/test/rendered HTTP/1.1\r\nhost:'));
      let text = '';
      client.on('data', (part) => {
        text += part.toString();
      });
      client.on('close', () => resolve(text));
    });
    const socket = await opened;
    // As Node says it of a request whose time is over; its clock looks every 30 s.
    server.emit('clientError', Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    const { status, body } = parse(await answer);
    expect([status, body]).toEqual([408, '']);
    await own.stop();
  });

  test('a body that promises more than it brings is let go', async () => {
    const head = `POST /v2/test/body HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;
    await sendRaw(`${head}content-length: 100\r\n\r\n{"fids"`);
    expect((await get('/v2/test/rendered')).status).toBe(200);
  });

  test('a query of 350 addresses fits', async () => {
    const addresses = Array.from({ length: 350 }, () => 'A'.repeat(44)).join('%2C');
    expect((await get(`/v2/test/query?fid=1&other=${addresses}`)).status).toBe(200);
  });
});

describe('stopping', () => {
  test('what is in flight is finished, idle connections are closed, nobody new is taken', async () => {
    const own = buildServer(shell.services, { operations: shellOperations });
    const to = await own.listen({ host, port: 0 });
    const agent = new Agent({ keepAlive: true });
    await get('/v2/test/rendered', { agent, to });
    const asked = once(own.fastify.server, 'request');
    const slow = get('/v2/test/slow?ms=400', { agent, to });
    await asked;
    const startedAt = performance.now();
    const stopped = own.stop();
    await expect.poll(() => own.fastify.server.listening, { interval: 10 }).toBe(false);
    await expect(get('/v2/test/rendered', { to })).rejects.toThrow();
    expect(await slow).toMatchObject({ status: 200, body: '{"waited":400}' });
    await stopped;
    expect(performance.now() - startedAt).toBeLessThan(5000);
    agent.destroy();
  });

  test('a connection without a request is closed at once, one with a part of a request after the grace', async () => {
    const own = buildServer(shell.services, { operations: shellOperations });
    const to = await own.listen({ host, port: 0 });
    const open = async () => {
      const accepted = once(own.fastify.server, 'connection');
      const client = connect(to, host);
      const [socket] = (await accepted) as [Socket];
      return { client, socket };
    };
    const [unused, started] = [await open(), await open()];
    const closed = once(unused.client, 'close');
    started.client.on('error', () => undefined).write('GET /v2/test/rendered HTTP/1.1\r\n');
    await expect.poll(() => started.socket.bytesRead).toBeGreaterThan(0);
    holdTimers();
    const stopped = own.stop(5_000).then(() => 'stopped');
    expect(await Promise.race([closed.then(() => 'closed'), stopped])).toBe('closed');
    vi.advanceTimersByTime(4_999);
    expect(started.socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await stopped;
  });

  test('a request that outlasts the grace period of a stop is disconnected', async () => {
    const own = buildServer(shell.services, { operations: shellOperations });
    const to = await own.listen({ host, port: 0 });
    const asked = once(own.fastify.server, 'request');
    const endless = get('/v2/test/slow?ms=3000', { to }).catch((error: Error) => error.message);
    await asked;
    await own.stop(200);
    expect(await endless).toMatch(/hang up|ECONNRESET|aborted/);
  });
});

test('a server of its own for the hub answers the hub alone', async () => {
  const hub = buildServer(shell.services, { operations: shellOperations, families: ['hub'] });
  const ask = async (url: string) => (await hub.fastify.inject({ url, headers: { 'x-api-key': key } })).statusCode;
  expect(await ask('/v1/testHub?fid=1')).toBe(200);
  for (const url of ['/v2/test/rendered', '/portal/test', '/docs', '/openapi.json', '/health/live']) {
    expect(await ask(url), url).toBe(404);
  }
  await hub.stop();
});

describe('health', () => {
  const ask = async (readiness: Shell['services']['readiness']) => {
    const server = buildServer({ ...shell.services, readiness }, { validateResponses: true });
    const response = await server.fastify.inject('/health/ready');
    await server.stop();
    return { status: response.statusCode, body: JSON.parse(response.body) };
  };

  test('live answers while anything answers', async () => {
    expect(await get('/health/live')).toMatchObject({ status: 200, body: '{"status":"live"}' });
  });

  test('ready names what is wrong, and not where', async () => {
    const good = { name: 'database', check: async () => undefined };
    expect(await ask([good])).toEqual({ status: 200, body: { status: 'ready', checks: { database: { ok: true } } } });
    holdTimers();
    const answer = await ask([
      good,
      { name: 'ingest', check: async () => 'is 900 s behind' },
      { name: 'migrations', check: () => Promise.reject(new Error('at 10.0.0.7')) },
      {
        name: 'hub',
        check: () => {
          // When the others have answered.
          setImmediate(() => vi.advanceTimersByTime(2_000));
          return new Promise(() => {});
        },
      },
    ]);
    expect(answer).toMatchObject({
      status: 503,
      body: {
        status: 'unavailable',
        checks: {
          database: { ok: true },
          ingest: { ok: false, problem: 'is 900 s behind' },
          migrations: { ok: false },
          hub: { ok: false, problem: expect.stringContaining('no answer within 2 s') },
        },
      },
    });
    expect(JSON.stringify(answer)).not.toContain('10.0.0.7');
  });
});

describe('metrics', () => {
  test('requests are counted by operation and status on a port of its own', async () => {
    const { registry } = shell.services.metrics;
    const server = createMetricsServer(registry);
    const to = await server.listen({ host, port: 0 });
    await get('/v2/test/rendered');
    await get('/v1/testHub?fid=0');
    const { status, body, headers } = await get('/metrics', { to });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toMatch(/castellan_request_duration_seconds_count\{operation="test-rendered",status="200"\} \d+/);
    expect(body).toMatch(/castellan_request_duration_seconds_count\{operation="test-hub",status="400"\} 1/);
    expect(body).toMatch(/castellan_database_pool\{state="total"\} \d+/);
    expect(body).toContain('castellan_ingest_messages_total');
    expect((await get('/', { to })).status).toBe(404);
    await server.stop();
    expect((await get('/metrics')).status).toBe(404);
  });

  test('the port of the metrics says how the process is, if it has checks', async () => {
    const { registry } = shell.services.metrics;
    const checks = { database: { ok: false, problem: 'it does not answer' } };
    const late = { status: 'late' as const, checks: {} };
    const answers = [{ status: 'ready' as const, checks: {} }, late, late, { status: 'unavailable' as const, checks }];
    const server = createMetricsServer(registry, async () => answers.shift() ?? Promise.reject(new Error('no more')));
    const to = await server.listen({ host, port: 0 });
    expect(await get('/health/live', { to })).toMatchObject({ status: 200, body: '{"status":"live"}' });
    expect(await get('/health/ready', { to })).toMatchObject({ status: 200, body: '{"status":"ready","checks":{}}' });
    expect((await get('/health/ready', { to })).status).toBe(200);
    expect((await get('/health/fresh', { to })).status).toBe(503);
    const away = await get('/health/ready?verbose', { to });
    expect([away.status, JSON.parse(away.body)]).toEqual([503, { status: 'unavailable', checks }]);
    expect((await get('/health/ready', { to })).status).toBe(500);
    await server.stop();
    const supervisor = createMetricsServer(registry);
    const there = await supervisor.listen({ host, port: 0 });
    for (const path of ['/health/live', '/health/ready', '/health/fresh'])
      expect((await get(path, { to: there })).status).toBe(404);
    await supervisor.stop();
  });

  test('a caller who hangs up is no longer in flight', async () => {
    const gauge = async () => (await shell.services.metrics.requestsInFlight.get()).values[0]?.value;
    const before = await gauge();
    const head = `GET /v2/test/slow?ms=200 HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`;
    const socket = connect(port, host, () => socket.write(head));
    await expect.poll(gauge).toBe((before ?? 0) + 1);
    socket.destroy();
    await expect.poll(gauge).toBe(before);
  });
});

describe('reference', () => {
  test('the page and all its parts come from here, and may call nothing else', async () => {
    const page = await get('/docs');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.body).not.toMatch(/https?:\/\//);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    const parts = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] as string);
    const types = await Promise.all(parts.map(async (part) => (await get(part)).headers['content-type']));
    const script = 'text/javascript; charset=utf-8';
    expect(types).toEqual(['image/svg+xml', script, script]);
    const { body } = await get('/docs/start.js');
    expect(body).toContain('withDefaultFonts: false');
    expect(body).toContain('telemetry: false');
    expect(body).toContain("fetch(base + '/openapi.json')");
    expect(body).not.toMatch(/https?:\/\//);
  });

  test('a proxy may show it below a path', async () => {
    const services = { ...shell.services, publicUrl: 'https://example.org/castellan' };
    const server = buildServer(services);
    expect((await server.fastify.inject('/docs')).body).toContain('src="/castellan/docs/reference.js"');
    expect((await server.fastify.inject('/docs/start.js')).body).toContain('const base = "/castellan";');
    expect((await server.fastify.inject('/openapi.json')).json().servers).toEqual([{ url: '/castellan' }]);
    await server.stop();
  });

  test('the document describes what is built, with the key and the units', async () => {
    const document = JSON.parse((await get('/openapi.json')).body);
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.securitySchemes.ApiKeyAuth).toEqual({ type: 'apiKey', in: 'header', name: 'x-api-key' });
    const operation = document.paths['/v2/test/query/'].get;
    expect(operation).toMatchObject({
      operationId: 'test-query',
      'x-compute-units': { base: 0, each: 2, per: 'limit', in: 'query', default: 50, most: 200 },
      'x-scope': 'read',
    });
    expect(document.paths['/v2/test/rendered/'].get['x-compute-units']).toBe(1);
    expect(operation.parameters).toContainEqual({
      name: 'fids',
      in: 'query',
      'x-comma-separated': true,
      'x-item-type': 'integer',
      'x-max-items': 100,
      schema: { type: 'string' },
    });
    expect(operation.responses['429'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ErrorRes',
    });
    expect(document.paths['/v1/testHub'].get.responses.default).toBeDefined();
    expect(document.paths['/health/live'].get.security).toEqual([]);
  });
});
