import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.js';

/** Milliseconds after which the service looks up a key again. */
const KEY_CACHED_MS = 1_000;
/** A request meets at most two lost connections: that of the key, then that of its statement. */
const ANSWERED_WITHIN_MS = 15_000;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('connections that are lost without notice', () => {
  let fixture: TestDatabase;
  let proxy: TcpProxy;
  let network: Network;
  /** Milliseconds that the service's clock is ahead. */
  let ahead = 0;

  beforeAll(async () => {
    fixture = await openTestDatabase();
    const url = new URL(fixture.url as string);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) });
    network = await startNetwork({ DATABASE_URL: url.href }, undefined, { clock: () => Date.now() + ahead });
    await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  });
  afterAll(async () => {
    proxy?.restore();
    await network?.stop();
    await proxy?.stop();
    await fixture?.drop();
  });

  const status = async (method: string, path: string, body?: object): Promise<number> => {
    const limit = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const headers = { 'x-api-key': network.apiKey, ...(body && { 'content-type': 'application/json' }) };
    const request = { method, headers, signal: limit, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${network.url}${path}`, request).catch(() => undefined))?.status ?? 0;
  };
  let fid = 0;
  /** A page that is not in the cache. */
  const read = () => status('GET', `/v2/social/user/bulk/?fids=${++fid}`);
  /** A transaction. */
  const mute = () => status('POST', '/v2/social/mute/', { fid: FIDS.alice, muted_fid: FIDS.bob });
  /** A single statement. */
  const createSigner = () => status('POST', '/v2/social/signer/');

  test('are given up after seconds, and requests are served over new ones', async () => {
    expect([await read(), await mute(), await createSigner()]).toEqual([200, 200, 200]);
    proxy.holdOpen();
    ahead += 1.5 * KEY_CACHED_MS;
    const [reading, ...writing] = await Promise.all([read(), mute(), createSigner()]);
    expect(reading).toBe(200);
    // Nothing was stored, because a connection must respond before it gets a write.
    for (const one of writing) expect([200, 503]).toContain(one);
    for (const one of [read, mute, createSigner]) await expect.poll(one).toBe(200);
  }, 60_000);
});
