import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.js';

/** How a server says that a transaction is committed (CommandComplete of PostgreSQL's protocol). */
const COMMITTED = Buffer.from('COMMIT\0');

/** Rounds in which every connection is ended while casts are being written. */
const ROUNDS = 20;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('writes whose answer from PostgreSQL is lost', () => {
  let fixture: TestDatabase;
  let relay: TcpProxy;
  let network: Network;
  /** Past the relay. */
  let admin: pg.Client;
  let alice: string;

  beforeAll(async () => {
    fixture = await openTestDatabase();
    const url = new URL(fixture.url as string);
    relay = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    admin = new pg.Client({ connectionString: fixture.url });
    await admin.connect();
    Object.assign(url, { hostname: '127.0.0.1', port: String(relay.port) });
    network = await startNetwork({ DATABASE_URL: url.href, CASTELLAN_WRITE_TIMEOUT_SECONDS: '2' });
    const seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
    alice = (await approvedSigner(network, seeded.alice)).uuid;
  });
  afterAll(async () => {
    relay?.restore();
    await network?.stop();
    await relay?.stop();
    await admin?.end();
    await fixture?.drop();
  });

  const publish = (text: string, more: object = {}): Promise<TestResponse> =>
    network.send('POST', '/v2/social/cast/', { signer_uuid: alice, text, ...more });

  /** How often each text is stored. */
  const stored = async (texts: readonly string[]): Promise<number[]> => {
    const { rows } = await admin.query<{ count: string }>(
      `select count(c.text) from unnest($1::text[]) with ordinality t (text, n) left join "cast" c on c.text = t.text
        group by t.n order by t.n`,
      [texts],
    );
    return rows.map(({ count }) => Number(count));
  };

  const serves = () => expect.poll(async () => (await network.get('/health/ready')).status).toBe(200);

  test('a cast is looked up when the answer to its commit is lost, and answered as what it is: stored', async () => {
    relay.dropAfter(COMMITTED);
    const publishing = publish('lost and found');
    await expect.poll(() => stored(['lost and found'])).toEqual([1]);
    relay.restore();
    expect((await publishing).body).toMatchObject({ success: true, cast: { text: 'lost and found' } });
    expect(await stored(['lost and found'])).toEqual([1]);
    await serves();
  });

  test('a write whose outcome cannot be found out in time is a 504 that says so', async () => {
    relay.dropAfter(COMMITTED);
    const cast = await publish('in doubt');
    const mute = await network.send('POST', '/v2/social/mute/', { fid: FIDS.alice, muted_fid: FIDS.bob });
    relay.dropAfter(Buffer.from('INSERT 0 1\0'));
    const signer = await network.send('POST', '/v2/social/signer/', undefined);
    relay.restore();
    expect([cast, mute, signer].map(({ status, body }) => [status, body.code])).toEqual(
      Array(3).fill([504, 'GatewayTimeout']),
    );
    expect(cast.body.message).toMatch(/Whether message 0x[0-9a-f]{40} was stored is unknown/);
    expect(mute.body.message).toMatch(/whether the request took effect is unknown/);
    expect(await stored(['in doubt'])).toEqual([1]);
    const muted = await admin.query('select from mute where fid = $1', [FIDS.alice]);
    expect(muted.rowCount).toBe(1);
    await serves();
  });

  test('a write that never reached the database is a 503 that may be tried again', async () => {
    relay.cut();
    const texts = ['never sent', 'never sent either'];
    const answers = await Promise.all(texts.map((text) => publish(text)));
    relay.restore();
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(await stored(texts)).toEqual([0, 0]);
    await serves();
  });

  test(`every answer is true when connections are ended at any time (${ROUNDS} rounds)`, async () => {
    const statuses = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const texts = Array.from({ length: 8 }, (_, n) => `round ${round} cast ${n} @bob`);
      const answers = Promise.all(
        texts.map(async (text, n) => {
          await delay(n * 3);
          return publish(text, n % 4 === 0 ? { idem: text } : {});
        }),
      );
      for (let n = 0; n < 4; n++) {
        await delay(Math.random() * 15);
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`,
        );
      }
      const ended = await answers;
      // A commit may end after its connection did.
      const committing = () =>
        admin.query(
          `select from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
        );
      await expect.poll(async () => (await committing()).rowCount, { interval: 10 }).toBe(0);
      const counts = await stored(texts.map((text) => text.replace('@bob', '')));
      for (const [n, { status, body }] of ended.entries()) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const count = counts[n];
        if (status === 200) expect({ text: texts[n], count }).toEqual({ text: texts[n], count: 1 });
        else if (status === 503) expect({ text: texts[n], count, body }).toEqual({ text: texts[n], count: 0, body });
        else
          expect({ status, message: body.message }).toEqual({ status: 504, message: expect.stringMatching(/unknown/) });
      }
    }
    expect(statuses.get(200)).toBeGreaterThan(0);
  }, 180_000);
});
