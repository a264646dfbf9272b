import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram, type Castellan, freePort, startCastellan } from './support/castellan.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { metered, unitsPath } from './support/metered-service.js';

const LIMIT = 1000;

let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let service: Castellan | undefined;

beforeAll(async () => {
  await buildProgram();
  dataDir = await mkdtemp(join(tmpdir(), 'castellan-quota-'));
  if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
  environment = {
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
    CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
    PUBLIC_URL: 'http://127.0.0.1',
    CASTELLAN_METRICS_PORT: 'off',
    CASTELLAN_HUB_NETWORK: 'devnet',
    CASTELLAN_VERIFY_THREADS: '1',
    CASTELLAN_LOG_LEVEL: 'error',
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
    ...metered('enforce', LIMIT),
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
});
afterAll(async () => {
  service?.child.kill('SIGKILL');
  await service?.ended;
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

let port = '';
const get = (path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': environment.CASTELLAN_API_KEY as string } });
const call = async (units: number): Promise<number> => (await get(unitsPath(units))).status;
const used = async (): Promise<number> => {
  const { computeUnitsUsed } = (await (await get('/portal/organization/usage')).json()) as { computeUnitsUsed: number };
  return computeUnitsUsed;
};

const start = async (): Promise<Castellan> => {
  port = String(await freePort());
  const started = startCastellan(['serve'], { ...environment, PORT: port });
  service = started;
  const isUp = () =>
    get('/health/live').then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 120_000 }).toBe(true);
  return started;
};

/** Spends units and kills the service at once. @returns units that it had not written yet */
const crash = async (units: number): Promise<number> => {
  const before = await used();
  expect(await call(units)).toBe(200);
  service?.child.kill('SIGKILL');
  await once((service as Castellan).child, 'exit');
  await start();
  return before + units - (await used());
};

test('a crash loses a second of usage at most, and a graceful stop loses nothing', async () => {
  await start();
  for (let n = 0; n < 5; n++) expect(await call(100)).toBe(200);
  await expect.poll(used).toBe(500);

  // The kill nearly always comes before the next write, which is up to a second later.
  let lost = 0;
  while (lost === 0) lost = await crash(60);
  const written = await used();
  expect(lost).toBe(60);
  expect((written - 500) % 60).toBe(0);

  let left = LIMIT - written;
  while (left > 0) {
    const units = Math.min(100, left);
    expect(await call(units)).toBe(200);
    left -= units;
  }
  expect(await call(1)).toBe(402);

  service?.child.kill('SIGTERM');
  expect((await service?.ended)?.code).toBe(0);
  await start();
  expect(await used()).toBe(LIMIT);
  expect(await call(1)).toBe(402);
}, 600_000);
