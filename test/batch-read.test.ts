import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MessageSet } from '../src/protocol/conflict.js';
import { toIso } from '../src/protocol/time.js';
import { decodeEnvelope } from '../src/protocol/wire/envelope.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

/** Reads of many accounts, as programs for a Hypersnap node send them. */

const NAMES = ['following', 'reactions', 'cast-interactions', 'cast-bodies', 'signers', 'id-registrations'] as const;
type Name = (typeof NAMES)[number];
/** Compute units of an account. */
const UNITS: Record<Name, number> = {
  following: 3,
  reactions: 2,
  'cast-interactions': 4,
  'cast-bodies': 12,
  signers: 5,
  'id-registrations': 1,
};
const PARTIAL = 'x-partial-fids';
const { alice: ALICE, bob: BOB, carol: CAROL, dan: DAN, erin: ERIN, heidi: HEIDI, app: APP } = FIDS;
const UNKNOWN = 2_000_000_001;
/** Accounts with more than is answered, whose rows no message was verified for. */
const CROWD = 700_001;
const CROWDED = 1_500;

let network: Network;
let seeded: Seeded;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const pathOf = (name: Name, prefix = 'social'): string => `/v2/${prefix}/batch/${name}/`;

const post = async (name: Name, fids: readonly number[]): Promise<TestResponse> => {
  const answer = await network.send('POST', pathOf(name), { fids });
  expect([name, answer.status, answer.body.message]).toEqual([name, 200, undefined]);
  return answer;
};
const read = async (name: Name, fid: number) => (await post(name, [fid])).body[fid];

// biome-ignore lint/suspicious/noExplicitAny: members of whatever the hub operations answer
const hub = async (path: string): Promise<any> => {
  const { status, body } = await network.get(path);
  expect([path, status, body.nextPageToken ?? '']).toEqual([path, 200, '']);
  return body;
};

/** Gives an account `CROWDED` rows of everything that is read, the newest with the highest number. */
const crowd = async (fid: number, castName: 'short' | 'long'): Promise<void> => {
  const text = castName === 'short' ? 'Short' : 'Long '.repeat(200);
  const { dataBytes } = decodeEnvelope(seeded.alice.cast({ text, parent: seeded.casts.reply }).wire);
  const hash = `decode(lpad(to_hex(${fid}::bigint * 10000 + n), 40, '0'), 'hex')`;
  const message = (set: number, type: number, subtype: number, target: string, bytes: string): string =>
    `insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
     select ${fid}, ${set}, ${hash}, ${type}, ${subtype}, n, ${hash}, '', '', ${bytes}, ${target}
       from generate_series(1, ${CROWDED}) n`;
  const bytes = `decode('${hex(dataBytes)}', 'hex')`;
  await network.sql(message(MessageSet.link, 5, 1, `${CROWD} + n`, "''"));
  await network.sql(message(MessageSet.reaction, 3, 1, 'case when n % 2 = 0 then n else 0 end', "''"));
  await network.sql(message(MessageSet.cast, 1, 0, 'null', bytes));
  await network.sql(
    `insert into "cast" (fid, hash, ts, text, mentions, mention_positions, root_fid, root_hash, signer)
     select ${fid}, ${hash}, n, 'Short', array[n], '{0}', ${fid}, ${hash}, '' from generate_series(1, ${CROWDED}) n`,
  );
  for (const type of [1, 3]) {
    await network.sql(
      `insert into onchain_event (fid, type, block_number, log_index, transaction_hash, body)
       select ${fid}, ${type}, 1000000000 + n, 0, ${hash}, body from generate_series(1, ${CROWDED}) n,
              (select body from onchain_event where fid = ${ALICE} and type = ${type} limit 1) e`,
    );
  }
};

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  const { alice, bob, carol, erin } = seeded;
  await seeded.send(
    alice.react('like', 'https://page.example/'),
    erin.react('recast', seeded.casts.quote),
    erin.cast({ text: 'First\n"line" \u0007 👩‍🌾', embeds: ['https://a.example/?q=%22x%22', seeded.casts.hello] }),
    bob.transfer(3),
    carol.removeSigner(),
  );
}, 60_000);
afterAll(() => network.stop());

describe('each account has', () => {
  test('whom it follows', async () => {
    const { body, headers } = await post('following', [ALICE, CAROL, ERIN]);
    expect(body[ALICE].map(({ fid }: { fid: number }) => fid)).toEqual([DAN, BOB]);
    expect(body[ALICE][0]).toEqual({
      fid: DAN,
      followed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.000Z$/),
    });
    // Carol took one follow back, and Erin's block is no follow.
    expect([body[CAROL].length, body[ERIN]]).toEqual([1, []]);
    expect(headers.get(PARTIAL)).toBeNull();
  });

  test('its reactions to casts, not those to pages', async () => {
    const { body } = await post('reactions', [ALICE, BOB, ERIN]);
    expect(body).toEqual({
      [ALICE]: [],
      [BOB]: [],
      [ERIN]: [DAN, ALICE].map((target_fid) => ({ target_fid, timestamp: expect.any(Number) })),
    });
  });

  test('its casts that reply or mention', async () => {
    const { channel: _, hello, reply, deepReply } = seeded.casts;
    expect((await post('cast-interactions', [ALICE, BOB, CAROL])).body).toEqual({
      [ALICE]: [{ parent_fid: null, mentions: [BOB], timestamp: hello.timestamp }],
      [BOB]: [{ parent_fid: ALICE, mentions: [], timestamp: reply.timestamp }],
      [CAROL]: [{ parent_fid: BOB, mentions: [DAN], timestamp: deepReply.timestamp }],
    });
  });

  test('its casts, as they were signed', async () => {
    const { channel, hello, reply, quote } = seeded.casts;
    const { body } = await post('cast-bodies', [BOB, DAN, ERIN]);
    const plain = { parent_fid: null, parent_hash: null, mentions: [], embeds: [] };
    expect(body[BOB]).toEqual([
      {
        ...plain,
        hash: hex(reply.hash),
        text: 'Red and plenty 🍅',
        parent_fid: ALICE,
        parent_hash: hex(hello.hash),
        timestamp: reply.timestamp,
      },
      {
        ...plain,
        hash: hex(channel.hash),
        text: 'Sowing beans today',
        embeds: [{ url: 'https://news.example/beans' }],
        timestamp: channel.timestamp,
      },
    ]);
    expect(body[DAN].at(-1)).toMatchObject({
      hash: hex(quote.hash),
      embeds: [{ cast_id: { fid: BOB, hash: hex(reply.hash) } }],
    });
    expect(body[ERIN]).toMatchObject([
      {
        text: 'First\n"line" \u0007 👩‍🌾',
        embeds: [{ url: 'https://a.example/?q=%22x%22' }, { cast_id: { fid: ALICE, hash: hex(hello.hash) } }],
      },
    ]);
  });

  test('what the key registry says of its keys', async () => {
    const { body } = await post('signers', [ALICE, CAROL]);
    expect(body[ALICE]).toEqual([{ metadata: expect.stringMatching(/^[A-Za-z0-9+/]{100,}={0,2}$/), metadata_type: 1 }]);
    // The removal, which has no metadata, is the newer one.
    expect(body[CAROL].map(({ metadata }: { metadata: string }) => metadata === '')).toEqual([true, false]);
  });

  test('its events of the id registry', async () => {
    const { body } = await post('id-registrations', [ALICE, BOB]);
    const event = (event_type: string) => ({ block_timestamp: expect.any(Number), event_type });
    expect(body).toEqual({ [ALICE]: [event('Register')], [BOB]: [event('Transfer'), event('Register')] });
    expect(body[BOB][0].block_timestamp).toBeGreaterThan(body[BOB][1].block_timestamp);
  });
});

describe('each account has what the hub operations say', () => {
  // biome-ignore lint/suspicious/noExplicitAny: members of whatever the hub operations answer
  type Json = any;
  const newestFirst = (messages: readonly Json[]): Json[] =>
    messages.toSorted((a, b) => b.data.timestamp - a.data.timestamp);
  const expected: Record<Name, (fid: number) => Promise<Json[]>> = {
    following: async (fid) =>
      newestFirst((await hub(`/v1/linksByFid?fid=${fid}&link_type=follow`)).messages).map(({ data }) => ({
        fid: data.linkBody.targetFid,
        followed_at: toIso(data.timestamp),
      })),
    reactions: async (fid) => {
      const ofType = (type: string) => hub(`/v1/reactionsByFid?fid=${fid}&reaction_type=${type}`);
      const [likes, recasts] = [await ofType('Like'), await ofType('Recast')];
      return newestFirst([...likes.messages, ...recasts.messages])
        .filter(({ data }) => data.reactionBody.targetCastId)
        .map(({ data }) => ({ target_fid: data.reactionBody.targetCastId.fid, timestamp: data.timestamp }));
    },
    'cast-interactions': async (fid) =>
      newestFirst((await hub(`/v1/castsByFid?fid=${fid}`)).messages)
        .map(({ data: { castAddBody: cast, timestamp } }) => ({
          parent_fid: cast.parentCastId?.fid ?? null,
          mentions: cast.mentions,
          timestamp,
        }))
        .filter(({ parent_fid, mentions }) => parent_fid !== null || mentions.length > 0),
    'cast-bodies': async (fid) =>
      newestFirst((await hub(`/v1/castsByFid?fid=${fid}`)).messages).map(
        ({ hash, data: { castAddBody: cast, timestamp } }) => ({
          hash: hash.slice(2),
          text: cast.text,
          parent_fid: cast.parentCastId?.fid ?? null,
          parent_hash: cast.parentCastId?.hash.slice(2) ?? null,
          mentions: cast.mentions,
          embeds: cast.embeds.map(({ url, castId }: Json) =>
            castId ? { cast_id: { fid: castId.fid, hash: castId.hash.slice(2) } } : { url },
          ),
          timestamp,
        }),
      ),
    signers: async (fid) =>
      (await hub(`/v1/onChainEventsByFid?fid=${fid}&event_type=EVENT_TYPE_SIGNER`)).events
        .toReversed()
        .map(({ signerEventBody: { metadata, metadataType } }: Json) => ({ metadata, metadata_type: metadataType })),
    'id-registrations': async (fid) =>
      (await hub(`/v1/onChainEventsByFid?fid=${fid}&event_type=EVENT_TYPE_ID_REGISTER`)).events
        .toReversed()
        .map(({ blockTimestamp, idRegisterEventBody: { eventType } }: Json) => ({
          block_timestamp: blockTimestamp,
          event_type: eventType.endsWith('TRANSFER') ? 'Transfer' : 'Register',
        })),
  };

  test.each(NAMES)('%s', async (name) => {
    const fids = [...Object.values(FIDS), UNKNOWN];
    const { body } = await post(name, fids);
    for (const fid of fids) expect([fid, body[fid]]).toEqual([fid, await expected[name](fid)]);
    expect(Object.values(body).flat().length).toBeGreaterThan(3);
  });

  test('also after casts, reactions and follows are removed', async () => {
    const cast = seeded.heidi.cast({ text: ['Hello ', ALICE] });
    await seeded.send(cast, seeded.heidi.react('like', seeded.casts.hello), seeded.heidi.follow(BOB));
    const all = async () => [
      await read('following', HEIDI),
      await read('reactions', HEIDI),
      await read('cast-interactions', HEIDI),
      await read('cast-bodies', HEIDI),
    ];
    expect((await all()).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    const { heidi } = seeded;
    await seeded.send(heidi.removeCast(cast.hash), heidi.unreact('like', seeded.casts.hello), heidi.unfollow(BOB));
    expect(await all()).toEqual([[], [], [], []]);
  });

  test('also if the app banned it', async () => {
    const before = (await post('cast-bodies', [BOB])).body;
    expect((await network.send('POST', '/v2/social/ban/', { fids: [BOB] })).status).toBe(200);
    expect((await post('cast-bodies', [BOB])).body).toEqual(before);
    await network.sql('delete from ban');
  });
});

describe.each(NAMES)('%s', (name) => {
  test('an account that is not known has nothing, and one that is asked for twice is answered once', async () => {
    const { body, headers } = await post(name, [UNKNOWN, APP, UNKNOWN]);
    expect(Object.keys(body)).toEqual([`${APP}`, `${UNKNOWN}`]);
    expect(body[UNKNOWN]).toEqual([]);
    expect(headers.get(PARTIAL)).toBeNull();
  });

  test.each([
    ['none', []],
    ['more than 100', Array.from({ length: 101 }, (_, index) => index + 1)],
    ['no number', ['alice']],
    ['zero', [0]],
    ['more than JSON holds', [2 ** 53]],
    ['no list', 7],
    ['nothing', undefined],
  ])('%s: refused', async (_, fids) => {
    const { status, body } = await network.send('POST', pathOf(name), { fids });
    expect([status, body.property]).toEqual([400, 'fids']);
  });

  test('100 accounts are answered, by both paths alike', async () => {
    const fids = Array.from({ length: 100 }, (_, index) => index + 1);
    const { body, headers } = await post(name, fids);
    expect(Object.keys(body)).toHaveLength(100);
    expect(headers.get('x-compute-units')).toBe(`${100 * UNITS[name]}`);
    for (const path of [pathOf(name, 'farcaster'), pathOf(name, 'farcaster').slice(0, -1), pathOf(name).slice(0, -1)])
      expect((await network.send('POST', path, { fids })).body).toEqual(body);
  });
});

describe('accounts with more than is answered', () => {
  const FULL = [CROWD, CROWD + 1];
  beforeAll(async () => {
    await crowd(CROWD, 'short');
    await crowd(CROWD + 1, 'long');
  }, 60_000);

  const raw = async (name: Name, fids: readonly number[]) => {
    const answer = await fetch(`${network.url}${pathOf(name)}`, {
      method: 'POST',
      headers: { 'x-api-key': network.apiKey, 'content-type': 'application/json', origin: 'https://page.example' },
      body: JSON.stringify({ fids }),
    });
    const text = await answer.text();
    const partial = answer.headers.get(PARTIAL);
    return { body: JSON.parse(text), bytes: Buffer.byteLength(text), partial, headers: answer.headers };
  };

  test.each(NAMES)('%s: named in a header, and never longer than they cost', async (name) => {
    for (const others of [0, 1, 8, 98]) {
      const fids = [...FULL, ...Array.from({ length: others }, (_, index) => index + 1)];
      const { body, bytes, partial, headers } = await raw(name, fids);
      expect(partial).toBe(FULL.join());
      expect(headers.get('access-control-expose-headers')).toContain(PARTIAL);
      expect(bytes).toBeLessThanOrEqual(Number(headers.get('x-compute-units')) * 16 * 1024);
      const most = Math.min(500, Math.floor(10_000 / fids.length));
      for (const fid of FULL) expect(body[fid].length).toBeLessThanOrEqual(most);
    }
    expect((await raw(name, [CROWD])).bytes).toBeGreaterThan(UNITS[name] * 4 * 1024);
  });

  test('the newest come first, as many as there is room for', async () => {
    const following = async (count: number) => {
      const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
      return (await raw('following', [CROWD, ...others])).body[CROWD].map(({ fid }: { fid: number }) => fid - CROWD);
    };
    const newest = (count: number) => Array.from({ length: count }, (_, index) => CROWDED - index);
    expect(await following(1)).toEqual(newest(500));
    expect(await following(20)).toEqual(newest(500));
    expect(await following(21)).toEqual(newest(476));
    expect(await following(100)).toEqual(newest(100));
  });

  test('reactions to pages take the place of others, which the header says', async () => {
    const { body, partial } = await raw('reactions', [CROWD]);
    expect([body[CROWD].length, partial]).toEqual([250, `${CROWD}`]);
  });

  test('long casts take the place of several short ones', async () => {
    const [short, long] = (await Promise.all(FULL.map((fid) => raw('cast-bodies', [fid])))).map(
      ({ body, bytes }, index) => ({ count: body[FULL[index] as number].length, bytes }),
    );
    expect(short?.count).toBe(500);
    expect(long?.count).toBeLessThan(200);
    expect(long?.bytes).toBeGreaterThan(180 * 1024);
  });

  test('an account that has as many as there is room for is complete', async () => {
    await network.sql(`delete from message where fid = ${CROWD} and type = 5 and ts > 500`);
    const { body, partial } = await raw('following', [CROWD]);
    expect([body[CROWD].length, partial]).toEqual([500, null]);
  });
});
