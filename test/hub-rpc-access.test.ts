import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compressionAlgorithms, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { keyWith } from './support/app.js';
import { makeAuthority, makeCertificate } from './support/certificate.js';
import { RpcClient } from './support/hub-rpc.js';
import { type Network, startNetwork } from './support/network.js';
import { makeTenant } from './support/organization.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const fid = FIDS.alice;

describe('with keys', () => {
  let network: Network;
  let seeded: Seeded;
  let client: RpcClient;
  beforeAll(async () => {
    network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'off', CASTELLAN_QUOTA_MODE: 'observe' }, undefined, {
      hubRpc: {},
    });
    seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
    client = new RpcClient(network.hubRpc);
  });
  afterAll(async () => {
    client.close();
    await network.stop();
  });

  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  const statusWith = async (metadata: Record<string, string>): Promise<string> =>
    (await client.call('getCastsByFid', { fid }, metadata)).status;

  test('a key is taken from each of its places, and a wrong one from none', async () => {
    const { apiKey } = network;
    for (const metadata of [
      { 'x-api-key': apiKey },
      { api_key: apiKey },
      { authorization: `Bearer ${apiKey}` },
      { authorization: basic(`anybody:${apiKey}`) },
      { authorization: basic(`:${apiKey}`) },
    ])
      expect(await statusWith(metadata)).toBe('OK');
    for (const metadata of [
      {},
      { 'x-api-key': 'wrong' },
      { authorization: basic(`anybody:wrong`) },
      { authorization: basic(apiKey) },
      { authorization: 'Basic !' },
      { authorization: `Digest ${apiKey}` },
    ] as Record<string, string>[])
      expect(await statusWith(metadata)).toBe('UNAUTHENTICATED');
    const stream = client.subscribe({ fromId: 0 }, { 'x-api-key': 'wrong' });
    const ended = await new Promise<{ code: number }>((resolve) => stream.once('status', resolve));
    expect(ended.code).toBe(16);
  });

  test('reading needs the scope read, and submitting the scope write', async () => {
    const wire = Buffer.from(seeded.heidi.cast({ text: 'with a scope' }).wire);
    const [reader, writer] = [await keyWith(network, 'read'), await keyWith(network, 'write')];
    expect(await statusWith(reader)).toBe('OK');
    expect(await statusWith(writer)).toBe('PERMISSION_DENIED');
    expect((await client.call('submitMessage', wire, reader)).status).toBe('PERMISSION_DENIED');
    expect((await client.call('submitBulkMessages', {}, reader)).status).toBe('PERMISSION_DENIED');
    expect((await client.call('validateMessage', wire, reader)).status).toBe('OK');
    expect((await client.call('submitMessage', wire, writer)).status).toBe('OK');
  });

  test('calls are counted for the organization of the key, and several messages as several', async () => {
    const tenant = await makeTenant(network, 'counted');
    const { heidi } = seeded;
    const wires = [1, 2, 3].map((n) => Buffer.from(heidi.cast({ text: `counted ${n}` }).wire));
    const field = (wire: Buffer): Buffer =>
      Buffer.concat([Buffer.from([0x0a, (wire.length & 0x7f) | 0x80, wire.length >> 7]), wire]);
    await client.call('getCast', { fid, hash: seeded.casts.hello.hash }, tenant.headers);
    await client.call('getCast', { fid, hash: new Uint8Array(20) }, tenant.headers);
    await client.call('submitBulkMessages', Buffer.concat(wires.map(field)), tenant.headers);
    const used = async () =>
      network.sql<{ operation: string; calls: number; units: number }>(
        `select operation, sum(calls)::integer as calls, sum(units)::integer as units from usage_day
          where organization_id = $1 group by operation order by operation`,
        [tenant.id],
      );
    await expect.poll(used, { timeout: 10_000 }).toEqual([
      { operation: 'hub-lookup-cast-by-hash-and-fid', calls: 2, units: 4 },
      { operation: 'hub-publish-messages', calls: 1, units: 300 },
    ]);
  });

  test('a compressed request is read', async () => {
    const options = { 'grpc.default_compression_algorithm': compressionAlgorithms.gzip };
    const compressing = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey }, { options });
    const { status, response } = await compressing.call('getCast', { fid, hash: seeded.casts.hello.hash });
    expect([status, response?.data?.fid]).toEqual(['OK', fid]);
    compressing.close();
  });

  test('a call without a key is refused before its message is there', async () => {
    const session = connectHttp2(`http://${network.hubRpc}`);
    const statusOf = (headers: Record<string, string>): Promise<string> =>
      new Promise((resolve, reject) => {
        const path = '/HubService/SubmitBulkMessages';
        const own = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
        const stream = session.request({ ...own, ...headers });
        stream.once('response', (got) => got['grpc-status'] !== undefined && resolve(String(got['grpc-status'])));
        stream.once('trailers', (got) => resolve(String(got['grpc-status'])));
        stream.on('error', reject).resume();
        // Announces a message of 1 MiB, and never sends the rest of it.
        stream.write(Buffer.concat([Buffer.from([0, 0, 0x10, 0, 0]), Buffer.alloc(1_000)]));
      });
    expect(await statusOf({})).toBe('16');
    expect(await statusOf({ authorization: 'Basic !' })).toBe('16');
    expect(await statusOf({ 'x-api-key': 'nonsense' })).toBe('16');
    session.destroy();
  });

  test('what strangers send ends their call or connection, and nothing else', async () => {
    const own = { 'x-api-key': network.apiKey };
    const large = await client.call('submitBulkMessages', Buffer.alloc(2 * 2 ** 20), own);
    expect(large.status).toBe('RESOURCE_EXHAUSTED');
    const many = await client.call('submitBulkMessages', Buffer.alloc(4_000, Buffer.from([0x0a, 0])), own);
    expect([many.status, many.details]).toEqual(['INVALID_ARGUMENT', expect.stringMatching(/more than 1000 messages/)]);
    const [host, port] = network.hubRpc.split(':') as [string, string];
    for (const bytes of [
      'GET / HTTP/1.1\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.padEnd(4_096, '\xff'),
      '\0'.repeat(64),
    ]) {
      const socket = connect(Number(port), host);
      socket.on('error', () => undefined).resume();
      socket.write(Buffer.from(bytes, 'latin1'));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      // Bytes that may still become a preface are waited for; the client gives up first.
      if (bytes.startsWith('\0') || bytes.startsWith('GET')) await closed;
      else socket.destroy();
    }
    expect(await statusWith(own)).toBe('OK');
  });
});

describe('with a limit for each key', () => {
  test('calls above it are refused until the minute ends, with the time to wait', async () => {
    const network = await startNetwork({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '3' }, undefined, { hubRpc: {} });
    const client = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey });
    const answers = [];
    for (let turn = 0; turn < 6; turn++) answers.push(await client.call('getCastsByFid', { fid }));
    const refused = answers.at(-1);
    expect(answers.filter(({ status }) => status === 'OK').length).toBeLessThanOrEqual(3 * 2);
    expect(refused).toMatchObject({ status: 'RESOURCE_EXHAUSTED', details: expect.stringMatching(/3 times a minute/) });
    expect(Number(refused?.metadata.get('grpc-retry-pushback-ms')[0])).toBeGreaterThan(0);
    // The same operation over HTTP has the same limit.
    expect((await network.get(`/v1/castsByFid?fid=${fid}`)).status).toBe(429);
    client.close();
    await network.stop();
  });
});

describe('without keys', () => {
  test('reads are answered where reads without a key are allowed, up to their limit, and no submissions', async () => {
    const network = await startNetwork(
      { CASTELLAN_PUBLIC_READS: 'hub', CASTELLAN_PUBLIC_READS_PER_MINUTE: '20' },
      undefined,
      { hubRpc: {} },
    );
    const client = new RpcClient(network.hubRpc);
    expect((await client.call('getCastsByFid', { fid })).status).toBe('OK');
    expect((await client.call('submitMessage', Buffer.alloc(0))).status).toBe('UNAUTHENTICATED');
    expect((await client.call('getCastsByFid', { fid }, { 'x-api-key': 'wrong' })).status).toBe('UNAUTHENTICATED');
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.call('getInfo', {})));
    expect(answers.at(-1)).toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      details: expect.stringMatching(/^Without an API key, 20 requests a minute are answered/),
    });
    const own = await client.call('getInfo', {}, { 'x-api-key': network.apiKey });
    expect(own.status).toBe('OK');
    client.close();
    await network.stop();
  });
});

describe('with a certificate', () => {
  test('the interface is encrypted, and speaks to nobody who does not encrypt', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-grpc-'));
    const authority = await makeAuthority();
    const { key, cert } = await makeCertificate(authority, ['localhost']);
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)]);
    const network = await startNetwork({}, undefined, { hubRpc: { tls: { keyFile, certFile } } });
    const port = network.hubRpc.split(':')[1];
    const metadata = { 'x-api-key': network.apiKey };
    const channel = credentials.createSsl(Buffer.from(authority.cert));
    const client = new RpcClient(`localhost:${port}`, metadata, { channel });
    expect((await client.call('getInfo', {})).status).toBe('OK');
    const plain = new RpcClient(`localhost:${port}`, metadata);
    expect((await plain.call('getInfo', {})).status).toMatch(/^(UNAVAILABLE|CANCELLED)$/);
    for (const one of [client, plain]) one.close();
    await network.stop();
    await rm(folder, { recursive: true });
  });
});

test('a service that stops finishes the calls in progress, and closes the streams', async () => {
  const network = await startNetwork({}, undefined, { hubRpc: {} });
  const client = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey });
  const stream = client.subscribe({ fromId: 0 });
  const opened = new Promise((resolve) => stream.once('metadata', resolve));
  const ended = new Promise<{ code: number; details: string }>((resolve) => stream.once('status', resolve));
  await opened;
  const calls = Promise.all(Array.from({ length: 20 }, () => client.call('getInfo', {})));
  const began = performance.now();
  const [answers] = await Promise.all([calls, calls.then(() => network.stop())]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['OK']));
  expect(await ended).toMatchObject({ code: 14, details: expect.stringMatching(/stopping/) });
  expect(performance.now() - began).toBeLessThan(8_000);
  client.close();
});
