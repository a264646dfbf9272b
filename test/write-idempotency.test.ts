import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { jobList } from '../src/job/job-list.js';
import { decodeEnvelope } from '../src/protocol/wire/envelope.js';
import { author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { idempotent } from '../src/write/idempotency.js';
import type { IdempotencyRecord } from '../src/write/idempotency-record.js';
import { createSecondApp, keyWith, startSecondService } from './support/app.js';
import { delay } from './support/delay.js';
import { until } from './support/hub-fixture.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { rounds } from './support/rounds.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;
let seeded: Seeded;
let bob: string;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => Date.now() + ahead });
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  bob = (await approvedSigner(network, seeded.bob)).uuid;
});
afterAll(() => network.stop());

const PATH = '/v2/social/reaction/';
/** Registration and storage: what an account needs besides a signer. */
const introduce = (fid: number) => {
  const account = author({ seed: 'many writers', fid });
  return [account.register(), account.rent(2)];
};

const hashOf = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const like = (idem: string | undefined, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const body = { signer_uuid: bob, reaction_type: 'like', target: hashOf(seeded.casts.hello), idem, ...more };
  return network.send('POST', PATH, body, headers);
};
const unlike = (idem?: string) =>
  network.send('DELETE', PATH, {
    signer_uuid: bob,
    reaction_type: 'like',
    target: hashOf(seeded.casts.hello),
    ...(idem === undefined ? {} : { idem }),
  });

const run = <Row>(text: string, params: (string | number)[] = []) => network.app.core.db.run<Row>(text, params);

/** Messages that this service took in the name of bob, each once for every time that it came into force. */
const taken = async (): Promise<number> => {
  const [row] = await run<{ count: number }>('select count(*) from hub_event where fid = $1', [FIDS.bob]);
  return row?.count ?? 0;
};

const liked = async (): Promise<boolean> => {
  const path = `/v2/social/cast/?type=hash&identifier=${hashOf(seeded.casts.hello)}&viewer_fid=${FIDS.bob}`;
  return (await network.get(path)).body.cast.viewer_context.liked;
};

test('the same key with the same body is one message and one response, even after its removal', async () => {
  const before = await taken();
  const first = await like('one');
  expect(first).toMatchObject({ status: 200, body: { success: true } });
  expect(await like('one')).toMatchObject({ status: 200, body: first.body });
  expect((await unlike()).status).toBe(200);
  expect(await like('one')).toMatchObject({ status: 200, body: first.body });
  expect(await liked()).toBe(false);
  expect(await taken()).toBe(before + 2);
});

test('the order of the members does not matter', async () => {
  await like('order');
  const target = hashOf(seeded.casts.hello);
  const turned = { target, idem: 'order', reaction_type: 'like', signer_uuid: bob };
  expect((await network.send('POST', PATH, turned)).status).toBe(200);
});

test('the same key with another body is a conflict and writes nothing', async () => {
  await like('two');
  const before = await taken();
  for (const change of [
    { reaction_type: 'recast' },
    { target: hashOf(seeded.casts.quote) },
    { target_author_fid: 2 },
  ]) {
    expect(await like('two', change)).toMatchObject({ status: 409, body: { code: 'Conflict', property: 'idem' } });
  }
  expect(await taken()).toBe(before);
});

test('a key is scoped to app and operation, for every API key of the app', async () => {
  await like('three');
  expect(await unlike('three')).toMatchObject({ status: 200 });
  expect(await like('three', {}, await keyWith(network, 'write'))).toMatchObject({ status: 200 });
  expect(await liked()).toBe(false);
  // Another app's request of the same key is its own, and is refused for its own reason.
  const other = await createSecondApp(network);
  expect(await like('three', { reaction_type: 'recast' }, other.headers)).toMatchObject({
    status: 403,
    body: { property: 'signer_uuid' },
  });
});

test.each([['x'], ['x'.repeat(100_000)], ['🔑 \u0000'], ['../etc']])('any text is a key', async (idem) => {
  const before = await taken();
  for (let n = 0; n < 2; n++) expect([200, 400]).toContain((await like(idem)).status);
  expect(await taken()).toBeLessThanOrEqual(before + 1);
});

test('rejected requests are forgotten', async () => {
  const idem = 'refused';
  expect((await like(idem, { target: `0x${'7'.repeat(40)}` })).status).toBe(404);
  expect((await like(idem, { signer_uuid: randomUUID() })).status).toBe(404);
  expect((await like(idem)).status).toBe(200);
});

test('concurrent requests are one message and one response', async () => {
  await unlike();
  const before = await taken();
  const answers = await Promise.all(Array.from({ length: 20 }, () => like('at once')));
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(await taken()).toBe(before + 1);
});

test('of concurrent requests with different bodies one wins', async () => {
  await unlike();
  const before = await taken();
  const kinds = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'like' : 'recast'));
  const answers = await Promise.all(kinds.map((reaction_type) => like('either', { reaction_type })));
  const ok = new Set(answers.flatMap(({ status }, n) => (status === 200 ? [kinds[n]] : [])));
  expect(ok.size).toBe(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(await taken()).toBe(before + 1);
});

/** A request that dies at a given step of its way, as its process would. */
class Died extends Error {}

const dying = (idem: string, step: 'decide' | 'answer'): Promise<unknown> => {
  const { services } = network.app;
  const { appId } = caller;
  const target = hashOf(seeded.casts.hello);
  const body = { signer_uuid: bob, reaction_type: 'like', target, idem };
  return idempotent(services, { appId, operation: 'publish-reaction', idem, body }, async (idempotencyRecord) => {
    const signer = await services.signers.use(appId, bob, 'PUBLISH_REACTION');
    const { storeDecision: decide, ...rest } = idempotencyRecord as IdempotencyRecord;
    const mortal: IdempotencyRecord = {
      ...rest,
      storeDecision: async (wire) => {
        const counts = await decide(wire);
        if (step === 'decide') throw new Died();
        return counts;
      },
    };
    const targetCastId = { fid: FIDS.alice, hash: seeded.casts.hello.hash };
    await services.writer.write(
      signer,
      { type: 3, reactionBody: { type: 1, targetCastId } },
      { idempotencyRecord: mortal },
    );
    throw new Died();
  });
};

let caller: { appId: string };
beforeAll(async () => {
  const [row] = await run<{ app_id: string }>('select app_id from api_key limit 1');
  caller = { appId: row?.app_id as string };
});

/** @returns the hash of the message that the newest request decided on. */
const decided = async (): Promise<string> => {
  const [row] = await run<{ message: Buffer }>('select message from idempotent_write order by created_at desc limit 1');
  return Buffer.from(decodeEnvelope(row?.message as Buffer).hash).toString('hex');
};

test.each(['decide', 'answer'] as const)(
  'a crash after the step "%s" loses nothing and doubles nothing: the retry submits the same message',
  async (step) => {
    await unlike();
    const before = await taken();
    await expect(dying(`crash ${step}`, step)).rejects.toThrow(Died);
    expect(await liked()).toBe(step === 'answer');
    const message = await decided();
    // Later than the second of the first try, so that another message would have another hash.
    ahead += 1_100;
    expect(await like(`crash ${step}`)).toMatchObject({ status: 200, body: { success: true } });
    expect(await liked()).toBe(true);
    expect(await taken()).toBe(before + 1);
    expect(await run("select 1 from message where encode(hash, 'hex') = $1", [message])).toHaveLength(1);
  },
);

test('a key expires after a day', async () => {
  const { core, services } = network.app;
  await like('old');
  await run("update idempotent_write set created_at = now() - interval '25 hours'");
  await like('young', { reaction_type: 'recast' });
  const jobs = jobList({
    retention: { eventDays: 7, deliveryDays: 7 },
    db: core.db,
    clock: services.clock,
    changed: () => undefined,
    readStoredChannels: async () => undefined,
  });
  await jobs.find(({ name }) => name === 'forget-idempotent-writes')?.run(new AbortController().signal);
  expect(await run('select 1 from idempotent_write')).toHaveLength(1);
  expect(await like('young', { reaction_type: 'recast' })).toMatchObject({ status: 200 });
  expect((await like('old', { target: hashOf(seeded.casts.quote) })).status).toBe(200);
});

/** @returns the same, but no more than so many at a time; the others wait their turn. */
const atMost = <Args extends unknown[], Result>(limit: number, call: (...args: Args) => Promise<Result>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (...args: Args): Promise<Result> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await call(...args);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};

test('hundreds of writes by 50 users with random retries: one message each, counters exact, each seen at once', async () => {
  const USERS = 50;
  const EACH = rounds(10);
  const people = Array.from({ length: USERS }, (_, n) => 20_000 + n);
  await network.load(people.flatMap((fid) => introduce(fid)));
  const signers = await Promise.all(people.map(async (fid) => (await approvedSigner(network, fid)).uuid));
  const casts = Array.from({ length: EACH }, (_, n) => seeded.alice.cast({ text: `cast ${n} to be liked` }));
  await seeded.send(...casts);
  const [from] = await run<{ id: number }>('select coalesce(max(id), 0) as id from hub_event');

  // All at once would be more connections than a listener's queue holds.
  const send = atMost(200, network.send);
  const writeOne = async (user: number, cast: Signed): Promise<void> => {
    const fid = people[user] as number;
    const target = hashOf(cast);
    const body = { signer_uuid: signers[user], reaction_type: 'like', target, idem: `${fid} ${target}` };
    const tries = Array.from({ length: 1 + randomInt(3) }, async () => {
      await delay(randomInt(40));
      for (;;) {
        const answer = await send('POST', PATH, body);
        // A slow machine may leave an outcome unknown; to ask again is what the key is for.
        if (answer.status !== 504) return answer;
      }
    });
    const answers: TestResponse[] = randomInt(2) === 0 ? await Promise.all(tries) : [await Promise.race(tries)];
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { success: true } });
    const seen = await send('GET', `/v2/social/cast/?type=hash&identifier=${target}&viewer_fid=${fid}`, undefined);
    expect(seen.body.cast.viewer_context.liked).toBe(true);
    expect(seen.body.cast.reactions.likes_count).toBeGreaterThan(0);
    await Promise.all(tries);
  };
  await Promise.all(people.flatMap((_, user) => casts.map((cast) => writeOne(user, cast))));

  const events = await run<{ fid: number; count: number }>(
    'select fid, count(*) from hub_event where id > $1 group by fid order by fid',
    [from?.id as number],
  );
  expect(events).toEqual(people.map((fid) => ({ fid, count: EACH })));
  for (const cast of casts) {
    const { body } = await network.get(`/v2/social/cast/?type=hash&identifier=${hashOf(cast)}`);
    expect(body.cast.reactions.likes_count).toBe(USERS);
  }
  expect(await audit(network.app.core.db)).toEqual([]);
}, 300_000);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'two processes: what one writes the other shows within a second, and both together write it once',
  async () => {
    const second = await startSecondService(network);
    try {
      const target = hashOf(seeded.casts.emoji);
      const path = `/v2/social/cast/?type=hash&identifier=${target}&viewer_fid=${FIDS.bob}`;
      type Cast = { cast: { viewer_context: { liked: boolean }; reactions: { likes_count: number } } };
      const shown = async () => ((await second.get(path)).body as Cast).cast;
      expect((await shown()).viewer_context.liked).toBe(false);
      const started = Date.now();
      await like(undefined, { target });
      await until(async () => expect((await shown()).reactions.likes_count).toBe(1));
      expect(Date.now() - started).toBeLessThan(5_000);
      expect((await shown()).viewer_context.liked).toBe(true);

      const before = await taken();
      const body = { signer_uuid: bob, reaction_type: 'recast', target, idem: 'from two processes' };
      const here = Array.from({ length: 10 }, () => network.send('POST', PATH, body));
      const there = Array.from({ length: 10 }, () => second.send('POST', PATH, body));
      for (const { status } of await Promise.all([...here, ...there])) expect(status).toBe(200);
      expect(await taken()).toBe(before + 1);

      // Of writes about one thing none is lost, whichever process takes it.
      const toggles = Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? network : second).send(n % 4 < 2 ? 'POST' : 'DELETE', PATH, { ...body, idem: `toggle ${n}` }),
      );
      for (const { status } of await Promise.all(toggles)) expect(status).toBe(200);
      expect(await audit(network.app.core.db)).toEqual([]);
    } finally {
      await second.stop();
    }
  },
);

test.each([
  ['a cast', '/v2/social/cast/', { text: 'deep', idem: 'deep' }, {}],
  ['a reaction', PATH, { reaction_type: 'like', target: `0x${'ab'.repeat(20)}`, idem: 'deep' }, {}],
  [
    'a mint',
    '/v2/social/nft/mint/',
    { nft_contract_address: `0x${'ab'.repeat(20)}`, network: 'base', recipients: [{ fid: FIDS.bob }] },
    { 'x-wallet-id': randomUUID(), 'idempotency-key': 'deep' },
  ],
])('%s with a key is rejected if it is nested too deeply', async (_name, path, body, headers) => {
  const key = await keyWith(network, 'write', 'wallet');
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(9_000)}1${close.repeat(9_000)}`;
    const text = `${JSON.stringify({ ...body, signer_uuid: bob }).slice(0, -1)},"more":${deep}}`;
    const answer = await fetch(`${network.url}${path}`, {
      method: 'POST',
      headers: { ...key, ...headers, 'content-type': 'application/json' },
      body: text,
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(/more.*at most 64 levels/);
  }
});
