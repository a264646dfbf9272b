import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import { openDatabase } from '../src/db/open-database.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Author } from '../src/sample/author.js';
import { wallet } from '../src/sample/key.js';
import { signerEvent, unixSeconds } from '../src/sample/onchain.js';
import { derive } from '../src/sample/random.js';
import { signedKeyRequest } from '../src/sample/verification-claim.js';
import { buildProgram, freePort, startCastellan } from './support/castellan.js';
import { storeChannels } from './support/channel.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration, until } from './support/hub-fixture.js';

/** How often the service is killed; `CASTELLAN_TEST_KILLS` sets more for a run by hand. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 5);

let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let url: string;
let hub: FakeHub;
const people = authors(41, 42, 43, 44);
const lead = people[0];
const CHANNELS = ['garden', 'kitchen'];

beforeAll(async () => {
  await buildProgram();
  hub = new FakeHub([1]);
  await hub.start();
  dataDir = await mkdtemp(join(tmpdir(), 'castellan-channel-crash-'));
  if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
  environment = {
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
    CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
    PORT: String(await freePort()),
    CASTELLAN_METRICS_PORT: String(await freePort()),
    PUBLIC_URL: 'http://127.0.0.1',
    CASTELLAN_HUB_URL: hub.address.address,
    CASTELLAN_HUB_NETWORK: 'devnet',
    CASTELLAN_LOG_LEVEL: 'error',
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '',
    CASTELLAN_QUOTA_MODE: 'off',
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
  url = `http://127.0.0.1:${environment.PORT}`;
});
afterAll(async () => {
  hub.stop();
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

/** @returns the status; 0 without an answer, because the service was killed */
const send = async (
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> => {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-api-key': environment.CASTELLAN_API_KEY as string,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
};

const approve = async (who: Author): Promise<string> => {
  const made = await send('POST', '/v2/social/signer/');
  const key = new Uint8Array(Buffer.from((made.body.public_key as string).slice(2), 'hex'));
  const at = fromUnixMs(Date.now());
  const requester = { fid: who.fid, wallet: wallet(derive('channel crash', 'requester', who.fid)) };
  const metadata = await signedKeyRequest(key, requester, unixSeconds(at) + 86_400);
  const place = { seed: 'channel crash', fid: who.fid, at, logIndex: 77 };
  hub.say({ kind: 'onchain', event: signerEvent(place, key, metadata, 1) });
  return made.body.signer_uuid as string;
};

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;

/** One random write of follows and members, as clients send them. */
const act = async (signers: ReadonlyMap<number, string>): Promise<number> => {
  const [who, other] = [pick(people), pick(people)];
  const channel_id = pick(CHANNELS);
  const signer_uuid = signers.get(who.fid) as string;
  const leadSigner = signers.get(lead.fid) as string;
  const role = pick(['member', 'member', 'moderator']);
  const member = { signer_uuid: leadSigner, channel_id, fid: other.fid, role };
  const writes: [string, string, object][] = [
    ['POST', 'follow/', { signer_uuid, channel_id }],
    ['DELETE', 'follow/', { signer_uuid, channel_id }],
    ['POST', 'member/invite/', member],
    ['PUT', 'member/invite/', { signer_uuid, channel_id, role, accept: pick([true, true, false]) }],
    ['DELETE', 'member/', member],
  ];
  const [method, path, body] = pick(writes);
  return (await send(method, `/v2/social/channel/${path}`, body)).status;
};

test(
  `killed ${KILLS} times while accounts follow, join and leave, the service counts what it stores`,
  async () => {
    for (const person of people) hub.say(...(await registration(person)));
    const signers = new Map<number, string>();
    const statuses: number[] = [];
    for (let kill = 0; kill <= KILLS; kill++) {
      const service = startCastellan(['serve'], environment);
      await until(async () => expect((await send('GET', '/health/ready')).status).toBe(200), 60_000);
      if (kill === 0) {
        for (const person of people) signers.set(person.fid, await approve(person));
        const isApproved = async (uuid: string) =>
          (await send('GET', `/v2/social/signer/?signer_uuid=${uuid}`)).body.status;
        for (const uuid of signers.values()) await until(async () => expect(await isApproved(uuid)).toBe('approved'));
        service.child.kill('SIGTERM');
        await once(service.child, 'exit');
        await withStore((db) =>
          storeChannels(
            db,
            CHANNELS.map((id) => ({ id, parentUrl: `https://crash.example/${id}`, leadFid: lead.fid })),
          ),
        );
        continue;
      }
      let isOver = false;
      const clients = Array.from({ length: 6 }, async () => {
        while (!isOver) statuses.push(await act(signers));
      });
      const successes = () => statuses.filter((status) => status === 200).length;
      const enough = successes() + randomInt(20, 80);
      await until(async () => expect(successes()).toBeGreaterThanOrEqual(enough), 60_000);
      service.child.kill('SIGKILL');
      await once(service.child, 'exit');
      isOver = true;
      await Promise.all(clients);
    }
    expect(statuses.filter((status) => ![0, 200, 400, 429].includes(status))).toEqual([]);
    await withStore(async (db) => {
      expect(await audit(db)).toEqual([]);
      const [rows] = await db.run<{ follows: number; members: number }>(
        'select (select count(*)::integer from channel_follow) as follows, (select count(*)::integer from channel_member) as members',
      );
      expect(rows?.members).toBeGreaterThanOrEqual(CHANNELS.length);
    });
  },
  120_000 + KILLS * 30_000,
);
