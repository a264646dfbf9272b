import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, getAddress, hexToBytes, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../src/access/key.js';
import { loadStoreConfig } from '../src/config/config.js';
import { MasterKey } from '../src/config/secret.js';
import { migrate } from '../src/db/migrate.js';
import { openDatabase } from '../src/db/open-database.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { buildProgram, freePort, startCastellan } from './support/castellan.js';
import { startChain, type TestChain } from './support/chain.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { until } from './support/hub-fixture.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { balanceOf, deployToken, mintToken } from './support/token-environment.js';

/** How often the service is killed; `CASTELLAN_TEST_KILLS` sets more for a run by hand. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 3);
const RECIPIENTS = 200;
/** When a round kills: at which call of a method. Most are at or after the first payment, where one could be sent twice. */
const MOMENTS = [
  ['eth_sendRawTransaction', 1],
  ['eth_sendRawTransaction', 2],
  ['eth_getTransactionReceipt', 1],
  ['eth_sendRawTransaction', RECIPIENTS],
  ['eth_sendRawTransaction', 17],
  ['eth_estimateGas', RECIPIENTS],
  ['eth_sendRawTransaction', 101],
  ['eth_call', 150],
  ['eth_sendRawTransaction', 199],
  ['eth_getTransactionReceipt', 40],
] as const;
const AMOUNT = 1.5;

let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let url: string;
let chain: TestChain;
let proxy: RpcProxy;
let token: Address;
let wallet: { readonly id: string; readonly address: Address };

const payee = (index: number): Address =>
  getAddress(`0x${(0xbeef_0000n + BigInt(index)).toString(16).padStart(40, '5')}`);

const withStore = async <T>(work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> => {
  const db = await openDatabase(loadStoreConfig(environment));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

beforeAll(async () => {
  await buildProgram();
  chain = await startChain({ chainId: 8453 });
  proxy = await startRpcProxy(chain.url);
  token = await deployToken(chain, 'Dollar', 'USD', 6);
  dataDir = await mkdtemp(join(tmpdir(), 'castellan-send-crash-'));
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
    CASTELLAN_TRADE_WALLETS: '0',
    CASTELLAN_RPC_BASE: proxy.url,
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
  url = `http://127.0.0.1:${environment.PORT}`;
  wallet = await withStore(async (db) => {
    await migrate(db);
    await ensureDefaultAccess(db, environment.CASTELLAN_API_KEY, new Date());
    for (let index = 0; index < RECIPIENTS; index += 1) {
      await db.run('insert into account (fid, first_ts, custody_address) values ($1, 1, $2)', [
        index + 1,
        hexToBytes(payee(index)),
      ]);
    }
    const key = MasterKey.parse(masterKey) as MasterKey;
    return makeWallet(db, key, { organizationId: DEFAULT_ORGANIZATION_ID, name: 'test', now: new Date() });
  });
  await chain.test.setBalance({ address: wallet.address, value: parseEther('1000') });
  await mintToken(chain, token, wallet.address, 10n ** 15n);
}, 180_000);
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Sent {
  readonly send_receipts: readonly { readonly fid: number; readonly status: string }[];
  readonly transactions: readonly { readonly transaction_hash: string; readonly gas_used: string }[];
}

/** @returns undefined without a usable answer, because the service was killed or starts */
const send = async (key: string): Promise<Sent | undefined> => {
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => ({ fid: index + 1, amount: AMOUNT }));
  try {
    const response = await fetch(`${url}/v2/social/fungible/send/`, {
      method: 'POST',
      headers: {
        'x-api-key': environment.CASTELLAN_API_KEY as string,
        'x-wallet-id': wallet.id,
        'idempotency-key': key,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ network: 'base', fungible_contract_address: token, recipients }),
    });
    return response.status === 200 ? ((await response.json()) as Sent) : undefined;
  } catch {
    return undefined;
  }
};

const start = async () => {
  const service = startCastellan(['serve'], environment);
  await until(async () => (await fetch(`${url}/health/ready`)).status === 200, 60_000);
  return service;
};

const isComplete = (sent: Sent | undefined): sent is Sent =>
  sent !== undefined &&
  sent.transactions.length === RECIPIENTS &&
  sent.transactions.every(({ gas_used }) => gas_used !== '');

test(
  `killed ${KILLS} times during a send to ${RECIPIENTS} accounts, the service pays each of them once`,
  async () => {
    let service = await start();
    for (let round = 0; round < KILLS; round += 1) {
      const key = `send ${round}`;
      const [at, nth] = MOMENTS[round % MOMENTS.length] as (typeof MOMENTS)[number];
      let calls = 0;
      proxy.decide = ({ method }) => {
        if (method === at) calls += 1;
        if (calls === nth && method === at) service.child.kill('SIGKILL');
        return 'pass';
      };
      await send(key);
      expect(calls, `calls of ${at}`).toBeGreaterThanOrEqual(nth);
      proxy.decide = () => 'pass';
      if (service.child.exitCode === null && service.child.signalCode === null) {
        service.child.kill('SIGKILL');
        await once(service.child, 'exit');
      }
      service = await start();
      let answer: Sent | undefined;
      await until(async () => {
        answer = await send(key);
        return isComplete(answer);
      }, 60_000);
      expect(answer?.send_receipts.map(({ status }) => status)).toEqual(
        Array.from({ length: RECIPIENTS }, () => 'sent'),
      );
      expect(new Set(answer?.transactions.map((one) => one.transaction_hash)).size).toBe(RECIPIENTS);
      expect(await send(key)).toEqual(answer);
      const held = await Promise.all(
        Array.from({ length: RECIPIENTS }, (_, index) => balanceOf(chain, token, payee(index))),
      );
      expect([...new Set(held)]).toEqual([BigInt(round + 1) * 1_500_000n]);
    }
    service.child.kill('SIGTERM');
    await once(service.child, 'exit');
  },
  60_000 + KILLS * 60_000,
);
