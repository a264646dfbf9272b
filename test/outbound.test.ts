import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createOutbound, type OutboundOptions, type OutboundRequest } from '../src/delivery/outbound.js';
import { OutboundError } from '../src/delivery/outbound-error.js';
import { type Certificate, makeAuthority, makeCertificate } from './support/certificate.js';
import { startNameServer } from './support/dns-server.js';
import { startReceiver } from './support/receiver.js';

const run = promisify(execFile);
const MEMORY_CHILD = fileURLToPath(new URL('./support/outbound-memory-child.ts', import.meta.url));

const opened: { stop(): Promise<void> }[] = [];
const open = async <Thing extends { stop(): Promise<void> }>(thing: Promise<Thing>): Promise<Thing> => {
  opened.push(await thing);
  return thing;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.stop()));
});

const call = (
  url: string,
  more: Partial<OutboundRequest> = {},
  options: Partial<OutboundOptions> = {},
): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: Buffer }> =>
  createOutbound({ allowLoopback: true, ...options }).request({
    method: 'GET',
    url: new URL(url),
    timeoutMs: 2_000,
    maxBytes: 64 * 1024,
    ...more,
  });

/** @returns what the call failed with, which must be an OutboundError that shows nothing of the inside. */
const failure = async (calling: Promise<unknown>): Promise<OutboundError> => {
  const error = await calling.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutboundError);
  const { message, kind } = error as OutboundError;
  expect(kind).toBe('bad_gateway');
  expect(message).toMatch(/^The target [^\n]+\.$/);
  expect(message).not.toMatch(/127\.0\.0\.1|10\.0\.0|169\.254|::1|ECONN|ENOTFOUND|UND_ERR|HPE_|node_modules/);
  return error as OutboundError;
};

/** A server that speaks TCP alone: what it writes need not be HTTP. */
const startRaw = async (speak: (socket: Socket) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => speak(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

test('sends the request and returns status, headers and body', async () => {
  const target = await open(
    startReceiver((_request, response) => {
      response.writeHead(418, { 'content-type': 'text/plain', 'x-two': ['a', 'b'] }).end('tea');
    }),
  );
  const answer = await call(`${target.url}/a/b?c=d#e`, {
    method: 'POST',
    headers: { authorization: 'Bearer x' },
    body: '{"a":1}',
  });
  expect(answer).toMatchObject({ status: 418, headers: { 'content-type': 'text/plain', 'x-two': 'a, b' } });
  expect(answer.body.toString()).toBe('tea');
  expect(target.received).toMatchObject([
    {
      method: 'POST',
      path: '/a/b?c=d',
      body: '{"a":1}',
      headers: { authorization: 'Bearer x', 'content-length': '7' },
    },
  ]);
});

test('an address that answers is not given up because this process was busy', async () => {
  // Longer than Node gives each of several addresses; it looks at the time before it looks at the connection.
  const block = () => setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400));
  subscribe('net.client.socket', block);
  onTestFinished(() => void unsubscribe('net.client.socket', block));
  const { port } = await open(startReceiver());
  expect(await call(`http://localhost:${port}`, { timeoutMs: 20_000 })).toMatchObject({ status: 200 });
});

test('a body in tiny chunks takes no more memory than its own bytes', { timeout: 120_000 }, async () => {
  const CHUNKS = 4000;
  // A byte to keep, and as much of an extension, which nobody keeps, as fills the buffer that a socket is read into.
  const chunk = `1;${'x'.repeat(60 * 1024)}\r\na\r\n`;
  const flood = async (socket: Socket): Promise<void> => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    for (let sent = 0; sent < CHUNKS && !socket.destroyed; sent++) {
      if (!socket.write(chunk)) await once(socket, 'drain');
    }
    socket.end('0\r\n\r\n');
  };
  const target = await open(startRaw((socket) => void flood(socket).catch(() => socket.destroy())));
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', MEMORY_CHILD, target.url, '65536']);
  const { length, grown } = JSON.parse(stdout);
  expect(length).toBe(CHUNKS);
  // The receiver sent 240 MB.
  expect(grown).toBeLessThan(8 * 1024 * 1024);
});

test('proxies in the environment are ignored', async () => {
  const proxy = await open(startReceiver());
  const target = await open(startReceiver());
  process.env.HTTP_PROXY = proxy.url;
  process.env.http_proxy = proxy.url;
  try {
    expect((await call(target.url)).status).toBe(200);
  } finally {
    delete process.env.HTTP_PROXY;
    delete process.env.http_proxy;
  }
  expect([target.received.length, proxy.received.length]).toEqual([1, 0]);
});

test('loopback is rejected by default in every spelling', async () => {
  const target = await open(startReceiver());
  for (const host of ['127.0.0.1', 'localhost', 'x.localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
    for (const scheme of ['http', 'https']) {
      const error = await failure(call(`${scheme}://${host}:${target.port}`, {}, { allowLoopback: false }));
      expect(error.reason).toBe('target');
    }
  }
  expect(target.received).toEqual([]);
});

describe('names', () => {
  let authority: Certificate;
  let certificate: Certificate;
  beforeAll(async () => {
    authority = await makeAuthority();
    certificate = await makeCertificate(authority, ['app.test', 'localhost']);
  });

  /** A target with a certificate for app.test, found through a name server of the test's. */
  const setUp = async (answers: readonly (readonly string[])[]) => {
    const target = await open(startReceiver(undefined, certificate));
    const names = await open(startNameServer({ 'app.test': answers }));
    const ask = (more: Partial<OutboundOptions> = {}) =>
      call(`https://app.test:${target.port}/`, {}, { nameServers: [names.address], ca: authority.cert, ...more });
    return { target, names, ask };
  };

  test('a name is resolved once, and the connection goes to the checked address', async () => {
    const { target, names, ask } = await setUp([['127.0.0.1'], ['169.254.169.254']]);
    expect((await ask()).status).toBe(200);
    expect(names.asked.toSorted()).toEqual(['A app.test', 'AAAA app.test']);
    expect(target.received).toMatchObject([
      { headers: { host: `app.test:${target.port}` }, localAddress: '127.0.0.1' },
    ]);
    // It now points elsewhere; nothing is kept from the first call.
    expect((await failure(ask())).reason).toBe('address');
    expect(target.received).toHaveLength(1);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['a private network', ['10.0.0.7']],
    ['metadata', ['169.254.169.254']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['a public and a private address', ['93.184.216.34', '10.0.0.7']],
    ['a public and a private address of the other family', ['93.184.216.34', 'fd00::1']],
    ['nothing', []],
  ])(
    'a name that resolves to %s is rejected with the message for a name that does not exist',
    async (_what, addresses) => {
      const { target, ask } = await setUp([addresses]);
      const error = await failure(ask({ allowLoopback: false }));
      const { message } = await failure(
        call('https://absent.test', {}, { nameServers: [(await open(startNameServer({}))).address] }),
      );
      expect([error.reason, error.message]).toEqual(['address', message]);
      expect(target.received).toEqual([]);
    },
  );

  test('the development switch allows loopback names and no others', async () => {
    const { ask } = await setUp([['127.0.0.1', '10.0.0.7']]);
    expect((await failure(ask())).reason).toBe('address');
  });

  test('a trailing dot changes nothing', async () => {
    const { target, names } = await setUp([['127.0.0.1']]);
    const options = { nameServers: [names.address], ca: authority.cert };
    expect((await call(`https://app.test.:${target.port}/`, {}, options)).status).toBe(200);
  });

  test('a name server that does not respond is limited by the timeout of the call', async () => {
    const names = await open(startNameServer({ 'silent.test': [] }));
    const began = performance.now();
    const error = await failure(call('https://silent.test', { timeoutMs: 300 }, { nameServers: [names.address] }));
    expect(error.reason).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('the certificate must be trusted, valid and for the name', async () => {
    const names = await open(startNameServer({ 'app.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] }));
    const expired = await makeCertificate(authority, ['app.test'], { expired: true });
    const stranger = await makeCertificate(await makeAuthority(), ['app.test']);
    for (const [shown, host] of [
      [certificate, 'other.test'],
      [expired, 'app.test'],
      [stranger, 'app.test'],
    ] as const) {
      const target = await open(startReceiver(undefined, shown));
      const options = { nameServers: [names.address], ca: authority.cert };
      expect((await failure(call(`https://${host}:${target.port}/`, {}, options))).reason).toBe('tls');
      expect(target.received).toEqual([]);
    }
    // A server that speaks no TLS at all.
    const plain = await open(startReceiver());
    expect((await failure(call(`https://localhost:${plain.port}`))).reason).toBe('tls');
  });
});

test.each([300, 301, 302, 303, 304, 307, 308])('a redirect (%s) is not followed', async (status) => {
  const secret = await open(startReceiver());
  const target = await open(
    startReceiver((_request, response) => void response.writeHead(status, { location: secret.url }).end()),
  );
  expect(await failure(call(target.url))).toMatchObject({ reason: 'redirect', status });
  expect(secret.received).toEqual([]);
});

describe('hostile responses', () => {
  const answering = (answer: (response: ServerResponse) => void) =>
    open(startReceiver((_request, response) => answer(response)));

  test('a silent server is limited by the timeout', async () => {
    const target = await answering(() => undefined);
    const began = performance.now();
    expect(await failure(call(target.url, { timeoutMs: 300 }))).toMatchObject({ reason: 'timeout' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test.each(['body', 'head'])('a %s of one byte at a time is limited by the timeout', async (part) => {
    const target = await open(
      startRaw((socket) => {
        if (part === 'body') socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
        else socket.write('HTTP/1.1 200 OK\r\nx: ');
        const slowBody = setInterval(() => socket.write('a'), 50);
        socket.on('close', () => clearInterval(slowBody));
      }),
    );
    const began = performance.now();
    expect(await failure(call(target.url, { timeoutMs: 500 }))).toMatchObject({ reason: 'timeout' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('a body with too large a content-length is not read', async () => {
    const target = await answering((response) => response.writeHead(200, { 'content-length': 1e9 }).write('a'));
    expect(await failure(call(target.url))).toMatchObject({ reason: 'too_large', status: 200 });
  });

  test('a status whose body cannot be read counts where the body is ignored', async () => {
    const target = await open(
      startReceiver(({ path }, response) => {
        if (path === '/long') response.end(Buffer.alloc(100_000));
        else if (path === '/compressed') response.writeHead(201, { 'content-encoding': 'br' }).end('a');
        else if (path === '/open') response.writeHead(202).write('a');
        else if (path === '/cut')
          response.writeHead(200, { 'content-length': 10 }).write('a', () => response.destroy());
        else response.writeHead(503).end(Buffer.alloc(100_000));
      }),
    );
    const ask = async (path: string) => {
      const { status, body } = await call(`${target.url}/${path}`, { ignoresBody: true, timeoutMs: 300 });
      return [status, body.length];
    };
    const statuses = { long: 200, compressed: 201, open: 202, cut: 200, away: 503 };
    for (const [path, status] of Object.entries(statuses)) expect(await ask(path), path).toEqual([status, 0]);
  });

  test('a call that is aborted while its body comes has no status, also where the body is ignored', async () => {
    const target = await answering((response) => void response.writeHead(202).write('a'));
    const given = new AbortController();
    const aborted = call(target.url, { ignoresBody: true, signal: given.signal });
    await expect.poll(() => target.received).toHaveLength(1);
    given.abort(new Error('the service stops'));
    await expect(aborted).rejects.toThrow('the service stops');
  });

  test('a body may be as long as the limit and not a byte longer', async () => {
    const target = await open(
      startReceiver(({ path }, response) => void response.end(Buffer.alloc(Number(path.slice(1))))),
    );
    expect((await call(`${target.url}/1000`, { maxBytes: 1000 })).body).toHaveLength(1000);
    expect(await failure(call(`${target.url}/1001`, { maxBytes: 1000 }))).toMatchObject({ reason: 'too_large' });
  });

  test('endless bodies are cut at the limit, and memory stays constant', async () => {
    const written: number[] = [];
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const target = await open(
      startRaw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const pour = (): void => {
          while (!socket.destroyed && socket.write(`10000\r\n${chunk}\r\n`));
          if (!socket.destroyed) socket.once('drain', pour);
        };
        socket.once('close', () => written.push(socket.bytesWritten));
        pour();
      }),
    );
    const before = process.memoryUsage().rss;
    // The limit of bytes ends them, also on a busy machine.
    const calls = Array.from({ length: 50 }, () => failure(call(target.url, { timeoutMs: 60_000 })));
    for (const { reason } of await Promise.all(calls)) expect(reason).toBe('too_large');
    await expect.poll(() => written.length).toBe(50);
    // What the kernel's buffers hold besides is not ours to bound.
    expect(Math.max(...written)).toBeLessThan(80 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test('compressed bodies are rejected unread, because a small one may expand to a gigabyte', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    const target = await answering((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await failure(call(target.url))).toMatchObject({ reason: 'encoded', status: 200 });
    expect(target.received[0]?.headers['accept-encoding']).toBe('identity');
  });

  test.each(['constructor', '__proto__', 'hasOwnProperty', 'gzip, gzip'])(
    'the content coding %s is refused by name',
    async (coding) => {
      const target = await answering((response) => response.writeHead(200, { 'content-encoding': coding }).end('x'));
      expect(await failure(call(target.url, { acceptsEncoded: true }))).toMatchObject({ reason: 'encoded' });
    },
  );

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bare line feed', 'HTTP/1.1 200 OK\nx: y\n\nabc'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(1000)}\r\n`.repeat(20)}\r\n`],
  ])('%s is rejected', async (_what, bytes) => {
    const target = await open(startRaw((socket) => socket.end(bytes)));
    expect((await failure(call(target.url))).reason).toBe('broken');
  });

  test('a connection that ends early is rejected', async () => {
    const empty = await open(startRaw((socket) => socket.end()));
    expect((await failure(call(empty.url))).reason).toBe('unreachable');
    const half = await open(startRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')));
    expect((await failure(call(half.url))).reason).toMatch(/unreachable|broken/);
  });

  test('a second response on the connection is discarded', async () => {
    const first = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfirst';
    const target = await open(
      startRaw((socket) => socket.end(`${first}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecond`)),
    );
    const outbound = createOutbound({ allowLoopback: true });
    const request = { method: 'GET', url: new URL(target.url), timeoutMs: 2_000, maxBytes: 100 } as const;
    for (let turn = 0; turn < 3; turn++) {
      expect((await outbound.request(request)).body.toString()).toBe('first');
    }
  });

  test('headers cannot be split', async () => {
    const target = await open(startReceiver());
    const headers = { 'x-name': 'a\r\nx-evil: b' };
    await expect(call(target.url, { headers })).rejects.toThrow('invalid x-name header');
    expect(target.received).toEqual([]);
  });

  test('a port without a server', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect((await failure(call(gone.url))).reason).toBe('unreachable');
  });
});
