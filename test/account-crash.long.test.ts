import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, type LocalAccount, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../src/access/key.js';
import { loadStoreConfig } from '../src/config/config.js';
import { MasterKey } from '../src/config/secret.js';
import { migrate } from '../src/db/migrate.js';
import { openDatabase } from '../src/db/open-database.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { multicall3Code } from '../src/onchain/local/multicall3-code.js';
import { MULTICALL3 } from '../src/onchain/network.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { newPerson, onchainBody, transferBody } from './support/account.js';
import { buildProgram, freePort, startCastellan } from './support/castellan.js';
import type { TestChain } from './support/chain.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { until } from './support/hub-fixture.js';
import { fidOf, REGISTRY, registerAccount, startRegistryChain } from './support/registry.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';

/** How often the service is killed; `CASTELLAN_TEST_KILLS` sets more for a run by hand. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 3);
/** Calls of the chain that the three requests make together, about; each kill is at another one of them. */
const CALLS = 45;

let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let url: string;
let chain: TestChain;
let proxy: RpcProxy;
let wallet: { readonly id: string; readonly address: Address };

beforeAll(async () => {
  await buildProgram();
  chain = await startRegistryChain();
  await chain.test.setCode({ address: MULTICALL3, bytecode: multicall3Code });
  proxy = await startRpcProxy(chain.url);
  dataDir = await mkdtemp(join(tmpdir(), 'castellan-account-crash-'));
  if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
  const masterKey = randomBytes(32).toString('hex');
  environment = {
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_MASTER_KEY: masterKey,
    CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
    PORT: String(await freePort()),
    CASTELLAN_METRICS_PORT: String(await freePort()),
    PUBLIC_URL: 'http://127.0.0.1',
    CASTELLAN_HUB_NETWORK: 'devnet',
    CASTELLAN_LOG_LEVEL: 'error',
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '',
    CASTELLAN_QUOTA_MODE: 'off',
    CASTELLAN_CRAWL: '0',
    CASTELLAN_RPC_OPTIMISM: proxy.url,
    CASTELLAN_DAILY_SPEND_ETHER: '100',
    CASTELLAN_RESERVATIONS: '1000',
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
  url = `http://127.0.0.1:${environment.PORT}`;
  wallet = await withStore(async (db) => {
    await migrate(db);
    await ensureDefaultAccess(db, environment.CASTELLAN_API_KEY, new Date());
    const key = MasterKey.parse(masterKey) as MasterKey;
    return makeWallet(db, key, { organizationId: DEFAULT_ORGANIZATION_ID, name: 'test', now: new Date() });
  });
  await chain.test.setBalance({ address: wallet.address, value: parseEther('100') });
}, 180_000);
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const withStore = async <T>(work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> => {
  const db = await openDatabase(loadStoreConfig(environment));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each answer has its own form
  readonly body: any;
}

/** @returns the status; 0 without an answer, because the service was killed */
const send = async (method: string, path: string, body?: object): Promise<Answer> => {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-api-key': environment.CASTELLAN_API_KEY as string,
        'x-wallet-id': wallet.id,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0, body: {} };
  }
};

/** Sends a request again until it ends well, as clients do. */
const untilDone = async (method: string, path: string, body?: object): Promise<Answer> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await send(method, path, body);
    if (answer.status === 200) return answer;
    expect([answer.status, answer.body.code ?? answer.body], JSON.stringify(answer.body)).toEqual([
      expect.toSatisfy((status: number) => [0, 500, 503, 504].includes(status)),
      expect.anything(),
    ]);
  }
  throw new Error(`${path} never ended well`);
};

/** The three purchases of one round, each with what makes a retry the same request. */
const purchasesOf = async (round: number, person: LocalAccount, fid: number) => ({
  reserved: async (): Promise<{ method: string; path: string; body: object }> => {
    const { body } = await untilDone('GET', '/v2/social/user/fid/');
    return { method: 'POST', path: '/v2/social/user/', body: await transferBody(chain, body.fid, person) };
  },
  onchain: { ...(await onchainBody(chain, newPerson())), idem: `registration ${round}` },
  rent: { fid, units: 2, idem: `rent ${round}` },
});

/** Units that were rented for an account, by the chain. */
const rentedFor = async (fid: number): Promise<bigint> => {
  const rents = await chain.public.getContractEvents({
    ...REGISTRY.storageRegistry,
    eventName: 'Rent',
    args: { fid: BigInt(fid) },
    fromBlock: 0n,
  });
  return rents.reduce((sum, { args }) => sum + (args.units ?? 0n), 0n);
};

const registrations = async (to: Address): Promise<number> => {
  const { address, abi } = REGISTRY.idRegistry;
  const events = await chain.public.getContractEvents({
    address,
    abi,
    eventName: 'Register',
    args: { to },
    fromBlock: 0n,
  });
  return events.length;
};

const start = async () => {
  const service = startCastellan(['serve'], environment);
  await until(async () => expect((await send('GET', '/health/ready')).status).toBe(200), 60_000);
  return service;
};

test(
  `killed ${KILLS} times, the service buys everything once and repeats its answers`,
  async () => {
    let service = await start();
    for (let round = 0; round < KILLS; round += 1) {
      const [person, renter] = [newPerson(), newPerson()];
      const rentFid = Number(await registerAccount(chain, renter));
      const { reserved, onchain, rent } = await purchasesOf(round, person, rentFid);
      // Every purchase meets its kill: this one while the account is reserved, registered, or neither any more.
      const transfer = await reserved();
      const killAt = 1 + ((round * 7) % CALLS);
      let calls = 0;
      proxy.decide = () => {
        calls += 1;
        if (calls === killAt) service.child.kill('SIGKILL');
        return 'pass';
      };
      const all = [
        transfer,
        { method: 'POST', path: '/v2/social/user/register/', body: onchain },
        { method: 'POST', path: '/v2/social/storage/buy/', body: rent },
      ];
      await Promise.all([
        ...all.map(({ method, path, body }) => send(method, path, body)),
        send('GET', '/v2/social/user/fid/'),
      ]);
      proxy.decide = () => 'pass';
      if (service.child.exitCode === null && service.child.signalCode === null) {
        service.child.kill('SIGKILL');
        await once(service.child, 'exit');
      }
      service = await start();
      const answers = await Promise.all(all.map(({ method, path, body }) => untilDone(method, path, body)));
      const again = await Promise.all(all.map(({ method, path, body }) => send(method, path, body)));
      expect(again).toEqual(answers);
      const [given, registered] = answers as [Answer, Answer];
      expect(await fidOf(chain, person.address)).toBe(BigInt(given.body.user.fid));
      const owner = onchain.registration.custody_address;
      expect(await fidOf(chain, owner)).toBe(BigInt(registered.body.user.fid));
      expect(await registrations(owner)).toBe(1);
      expect(await rentedFor(rentFid)).toBe(3n);
    }
    service.child.kill('SIGTERM');
    await once(service.child, 'exit');
    await withStore(async (db) => {
      const rows = await db.run<{ state: string; count: number }>(
        'select state, count(*)::integer as count from reserved_account group by state order by state',
      );
      // Each account that the wallet registered for its reserve is known, and none is lost.
      const known = rows.reduce((sum, { count }) => sum + count, 0);
      const [paid] = await db.run<{ count: number }>(
        "select count(*)::integer as count from chain_transaction where purpose = 'register' and succeeded",
      );
      expect((paid?.count ?? 0) - KILLS).toBe(known - (rows.find(({ state }) => state === 'failed')?.count ?? 0));
      const keys = await db.run(
        "select 1 from reserved_account where state = 'transferred' and sealed_key is not null",
      );
      expect(keys).toEqual([]);
      expect(await audit(db)).toEqual([]);
    });
  },
  60_000 + KILLS * 30_000,
);
