import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RpcClient } from './support/hub-rpc.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

let network: Network;
let client: RpcClient;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  network = await startNetwork({ CASTELLAN_ACCESS_LOG: 'true', CASTELLAN_PUBLIC_READS: 'off' }, log, { hubRpc: {} });
  await seedBasics((items) => network.load(items));
  client = new RpcClient(network.hubRpc, { 'x-api-key': network.apiKey });
});
afterAll(async () => {
  client.close();
  await network.stop();
});

const registry = () => network.app.services.metrics.registry;

/** @returns how many values a histogram has with these labels */
const countOf = async (name: string, labels: Record<string, string>): Promise<number> => {
  const { values = [] } = (await registry().getSingleMetric(name)?.get()) ?? {};
  const isWanted = (value: (typeof values)[number]): boolean =>
    (value as { metricName?: string }).metricName === `${name}_count` &&
    Object.entries(labels).every(([label, wanted]) => value.labels[label] === wanted);
  return values.filter(isWanted).reduce((sum, { value }) => sum + value, 0);
};

test('calls of the hub interface are measured, and logged as requests are', async () => {
  expect((await client.call('getCastsByFid', { fid: FIDS.alice })).status).toBe('OK');
  expect((await client.call('getCastsByFid', { fid: FIDS.alice }, { 'x-api-key': 'wrong' })).status).toBe(
    'UNAUTHENTICATED',
  );
  const called = (code: string) => countOf('castellan_grpc_duration_seconds', { call: 'getCastsByFid', code });
  await expect.poll(() => called('OK')).toBe(1);
  await expect.poll(() => called('UNAUTHENTICATED')).toBe(1);
  const logged = lines.filter(({ call }) => call === 'getCastsByFid');
  expect(logged).toMatchObject([
    { msg: 'request', method: 'gRPC', operation: 'hub-fetch-users-casts', status: 'OK', keyId: expect.any(String) },
    { msg: 'request', method: 'gRPC', status: 'UNAUTHENTICATED', requestId: expect.any(String) },
  ]);
  expect(JSON.stringify(lines)).not.toContain(network.apiKey);
});

test('a stream is logged when it ends, and so is a reader that leaves', async () => {
  const stream = client.subscribe({ fromId: 0 });
  await new Promise((resolve) => stream.once('metadata', resolve));
  stream.on('error', () => undefined);
  expect(lines.filter(({ call }) => call === 'subscribe')).toEqual([]);
  stream.cancel();
  await expect.poll(() => lines.filter(({ call }) => call === 'subscribe')).toMatchObject([{ status: 'CANCELLED' }]);
});

test('time in the database is measured by the kind of work', async () => {
  const before = await countOf('castellan_database_duration_seconds', { work: 'read' });
  await network.get(`/v2/social/user/bulk/?fids=${FIDS.alice}`);
  expect(await countOf('castellan_database_duration_seconds', { work: 'read' })).toBeGreaterThan(before);
  const made = { url: 'https://app.example/hook', name: 'measured', subscription: { 'cast.created': {} } };
  const written = () => countOf('castellan_database_duration_seconds', { work: 'transaction' });
  const transactions = await written();
  expect((await network.send('POST', '/v2/social/webhook/', made)).status).toBe(200);
  expect(await written()).toBeGreaterThan(transactions);
});

/** Rules of https://prometheus.io/docs/practices/naming/, which `promtool check metrics` holds, too. */
test('names and helps are as Prometheus wants them', async () => {
  const all = await registry().getMetricsAsJSON();
  const own = all.filter(({ name }) => name.startsWith('castellan_'));
  expect(own.length).toBeGreaterThan(20);
  const misnamed = all.filter(({ name, type }) => name.endsWith('_total') && String(type) !== 'counter');
  expect(misnamed.map(({ name }) => name)).toEqual([]);
  for (const { name, help, type } of own) {
    const kind = String(type);
    expect.soft(help, name).toMatch(/\S/);
    expect.soft(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect.soft(name, 'a base unit').not.toMatch(/_(ms|milliseconds|minutes|kb|mb|percent)(_|$)/);
    expect.soft(name.endsWith('_total'), `${name} is a ${kind}`).toBe(kind === 'counter');
    if (kind === 'histogram') expect.soft(name).toMatch(/_(seconds|bytes)$/);
    expect.soft(name).not.toMatch(/_(count|sum|bucket|counter|gauge|histogram)$/);
  }
});
