import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStoredChannels } from '../src/ingest/channel/stored-message-job.js';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Ingest } from '../src/ingest/pipeline/pipeline.js';
import { channelIdOf, channelUrl } from '../src/protocol/channel/identity.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { channelFollowersOf, channelOf, channelsOfAccount } from '../src/store/tag.js';
import { storeChannels } from './support/channel.js';
import { channelMessage, channelRegistration, type RegisterInput, wireOf } from './support/channel-message.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { authors, registration } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';

/*
 * Channels of the protocol through the real pipeline and a real database: what the network says becomes rows, in the order
 * of arrival, whatever the batches and repetitions.
 */

const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
const KEY = 'gardens';
const ID = channelIdOf(KEY);
const URL = channelUrl(REGISTRAR, ID);
const CAST = new Uint8Array(20).fill(4);
const ACTION = { add: 1, remove: 2, addModerator: 3, removeModerator: 4, ban: 5, unban: 6 } as const;
const AT = fromUnixMs(Date.UTC(2025, 5, 1));

let database: TestDatabase;
let ingest: Ingest;
let tags: Set<number>;
let alice: Author;
let bob: Author;
let carol: Author;
let dan: Author;

const open = (registrar: string | null = REGISTRAR): void => {
  ingest = openTestIngest(database.db, {
    channelRegistrar: registrar ?? undefined,
    onCommit: (invalidation) => {
      for (const tag of invalidation.tags) tags.add(tag);
    },
  });
};

beforeEach(async () => {
  database = await openTestDatabase();
  tags = new Set();
  [alice, bob, carol, dan] = authors(51, 52, 53, 54);
  open();
  for (const account of [alice, bob, carol, dan]) await submit(...(await registration(account)));
});
afterEach(async () => {
  await ingest.drain();
  await database.drop();
});

const submit = (...items: readonly (Signed | IngestItem)[]) =>
  ingest.submit(
    items.map((item) => ('item' in item ? item.item : item)),
    { source: 'hub', announce: true },
  );

let tick = 0;
const make = (who: Author, type: number, body: Uint8Array, key = KEY): Signed =>
  channelMessage(
    { seed: 'hub', fid: who.fid, at: AT + ++tick },
    type,
    new Uint8Array(Buffer.concat([wireOf({ 1: channelIdOf(key) }), body])),
  );
const update = (who: Author, name: string, membershipMode?: number, castingMode?: number): Signed =>
  make(
    who,
    18,
    wireOf({ 2: name, 3: `About ${name}`, 4: 'https://i.example/a.png', 7: castingMode, 8: membershipMode }),
  );
const member = (who: Author, fid: number, action: keyof typeof ACTION): Signed =>
  make(who, 19, wireOf({ 2: fid, 3: ACTION[action] }));
const pin = (who: Author, hash?: Uint8Array): Signed => make(who, 20, wireOf({ 2: hash }));
const moderate = (who: Author, action: number): Signed => make(who, 21, wireOf({ 2: CAST, 3: action }));
const register = (input: Partial<RegisterInput> = {}): IngestItem =>
  channelRegistration({ key: KEY, owner: alice.wallet(1).address, label: 'Gardens', ...input });

const rows = <Row = Record<string, unknown>>(text: string): Promise<Row[]> => database.db.run<Row>(text);
const shownChannel = async () =>
  (
    await rows(
      `select id, parent_url, name, description, image_url, lead_fid, encode(pinned_cast_hash, 'hex') as pin, public_casting,
              source, coalesce(listed_follower_count, follower_count) as follower_count,
              coalesce(listed_member_count, member_count) as member_count from channel`,
    )
  )[0];
const members = async (): Promise<string[]> =>
  (await rows<{ fid: number; role: string }>('select fid, role from channel_member order by fid')).map(
    ({ fid, role }) => `${fid} ${role}`,
  );
const banned = async (): Promise<number[]> =>
  (await rows<{ fid: number }>(`select fid from channel_restriction where kind = 'banned' order by fid`)).map(
    ({ fid }) => fid,
  );
const followers = async (): Promise<number[]> =>
  (await rows<{ fid: number }>('select fid from channel_follow order by fid')).map(({ fid }) => fid);
const refusals = async (): Promise<(string | null)[]> =>
  (await rows<{ refusal: string | null }>('select refusal from protocol_channel_message order by position')).map(
    ({ refusal }) => refusal,
  );

/** All rows that follow from channels. */
const everything = async (): Promise<unknown> => {
  const tables = [
    'channel',
    'channel_parent_url',
    'channel_member',
    'channel_restriction',
    'channel_follow',
    'protocol_channel',
    'protocol_channel_slot',
    'protocol_channel_moderation',
  ];
  const found: Record<string, unknown> = {};
  for (const table of tables) found[table] = await rows(`select * from ${table} t order by t::text`);
  found.log = await rows('select channel_id, fid, hash, type, refusal from protocol_channel_message order by position');
  return found;
};

/** Register, verify, describe, add, follow, leave, ban, pin and hide, with refused messages in between. */
const scenario = async (): Promise<(Signed | IngestItem)[]> => [
  register(),
  update(alice, 'Too early', 1),
  await alice.verifyEthereum(alice.wallet(1)),
  update(alice, 'Gardens', 1, 1),
  update(bob, 'Mine now'),
  member(alice, bob.fid, 'addModerator'),
  member(carol, carol.fid, 'add'),
  member(dan, dan.fid, 'add'),
  bob.react('like', URL, AT + 5_000),
  carol.react('like', URL, AT + 5_001),
  member(bob, carol.fid, 'ban'),
  member(carol, carol.fid, 'add'),
  pin(bob, CAST),
  pin(dan),
  moderate(bob, 1),
  carol.unreact('like', URL, AT + 5_002),
];

test('a registered channel is shown with its owner, members, bans, pin and followers', async () => {
  for (const item of await scenario()) await submit(item);
  expect(await shownChannel()).toEqual({
    id: KEY,
    parent_url: URL,
    name: 'Gardens',
    description: 'About Gardens',
    image_url: 'https://i.example/a.png',
    lead_fid: alice.fid,
    pin: Buffer.from(CAST).toString('hex'),
    public_casting: true,
    source: 'protocol',
    follower_count: 1,
    member_count: 3,
  });
  expect(await members()).toEqual(['51 owner', '52 moderator', '54 member']);
  expect(await banned()).toEqual([carol.fid]);
  expect(await followers()).toEqual([bob.fid]);
  expect(await rows('select hidden from protocol_channel_moderation')).toEqual([{ hidden: true }]);
  expect(await refusals()).toEqual([
    'parked',
    null,
    'not_allowed',
    null,
    null,
    null,
    null,
    'is_banned',
    null,
    'not_allowed',
    null,
  ]);
  expect(await rows('select count(*)::integer as stored from message where type between 18 and 21')).toEqual([
    { stored: 11 },
  ]);
});

test('neither batches, nor repetition, nor a restart change the rows', async () => {
  const items = await scenario();
  for (const item of items) await submit(item);
  const oneByOne = await everything();
  await submit(...items);
  open();
  await submit(...items);
  for (const item of items) await submit(item);
  await readStoredChannels(
    { db: database.db, registrar: REGISTRAR, changed: () => undefined },
    new AbortController().signal,
  );
  expect(await everything()).toEqual(oneByOne);

  await database.drop();
  database = await openTestDatabase();
  open();
  for (const account of authors(51, 52, 53, 54)) await submit(...(await registration(account)));
  await submit(...items);
  expect(await everything()).toEqual(oneByOne);
});

test('the order of arrival decides, not that of timestamps', async () => {
  const early = update(alice, 'Signed first', 1);
  const late = update(alice, 'Signed last', 1);
  await submit(register(), await alice.verifyEthereum(alice.wallet(1)), late, early);
  expect((await shownChannel())?.name).toBe('Signed first');
});

test('an update replaces everything', async () => {
  await submit(register(), await alice.verifyEthereum(alice.wallet(1)));
  expect(await shownChannel()).toMatchObject({ name: 'Gardens', public_casting: null, description: null });
  await submit(update(alice, 'Roses', 1, 1), make(alice, 18, wireOf({})));
  expect(await shownChannel()).toMatchObject({
    name: 'Gardens',
    description: null,
    image_url: null,
    public_casting: false,
  });
  await submit(member(bob, bob.fid, 'add'));
  expect(await members()).toEqual(['51 owner']);
});

describe('the owner', () => {
  test('is the account that verified the address last, and without one only members leave', async () => {
    const wallet = alice.wallet(1);
    const first = await alice.verifyEthereum(wallet, AT + 1);
    await submit(register(), first, member(alice, bob.fid, 'addModerator'), member(alice, carol.fid, 'add'));
    const second = await carol.verifyEthereum(wallet, AT + 2);
    await submit(second);
    expect(await members()).toEqual(['52 moderator', '53 owner']);
    await submit(update(alice, 'No longer'), update(carol, 'Mine'));
    expect(await shownChannel()).toMatchObject({ name: 'Mine', lead_fid: carol.fid });
    // In one batch, each message is judged by the owner at its place.
    await submit(
      carol.removeVerification(0, wallet.address, AT + 3),
      alice.removeVerification(0, wallet.address, AT + 3),
      update(carol, 'Parked'),
      member(bob, bob.fid, 'remove'),
      await dan.verifyEthereum(wallet, AT + 4),
      update(dan, 'Of Dan'),
    );
    expect(await refusals()).toEqual([null, null, 'not_allowed', null, 'parked', null, null]);
    expect(await shownChannel()).toMatchObject({ name: 'Of Dan', lead_fid: dan.fid });
    expect(await members()).toEqual(['53 member', '54 owner']);
  });

  test('changes when the token is transferred, and a renewal keeps it', async () => {
    await submit(register(), await alice.verifyEthereum(alice.wallet(1)), await bob.verifyEthereum(bob.wallet(1)));
    await submit(register({ type: 2, block: 1_001, expiry: 2_100_000_000 } as never));
    expect((await shownChannel())?.lead_fid).toBe(alice.fid);
    await submit(register({ type: 3, block: 1_003, owner: bob.wallet(1).address }));
    expect((await shownChannel())?.lead_fid).toBe(bob.fid);
    // An older event that arrives late changes nothing.
    await submit(register({ type: 3, block: 1_002 }));
    expect((await shownChannel())?.lead_fid).toBe(bob.fid);
  });

  test('loses the channel with the key that signed its verification', async () => {
    await submit(register(), await alice.verifyEthereum(alice.wallet(1)), update(alice, 'Gardens'));
    await submit(alice.removeSigner());
    expect(await shownChannel()).toMatchObject({ lead_fid: null, name: 'Gardens' });
    expect(await members()).toEqual([]);
  });
});

describe('a channel', () => {
  test('is stored but not shown while the registrar is unknown, and shown with its follows once it is known', async () => {
    open(null);
    await submit(...(await scenario()));
    expect(await shownChannel()).toBeUndefined();
    expect(await followers()).toEqual([]);
    const found = new Set<number>();
    const changed = (invalidation: { tags: readonly number[] }) => {
      for (const tag of invalidation.tags) found.add(tag);
    };
    await readStoredChannels({ db: database.db, registrar: REGISTRAR, changed }, new AbortController().signal);
    expect(await shownChannel()).toMatchObject({ name: 'Gardens', follower_count: 1, member_count: 3 });
    expect(await members()).toEqual(['51 owner', '52 moderator', '54 member']);
    expect(await banned()).toEqual([carol.fid]);
    expect(await followers()).toEqual([bob.fid]);
    for (const tag of [channelOf(KEY), channelFollowersOf(KEY), ...[51, 52, 53, 54].map(channelsOfAccount)])
      expect(found).toContain(tag);
  });

  test('does not take the id or the URL of a channel of another source', async () => {
    await storeChannels(database.db, [{ id: KEY, parentUrl: 'https://elsewhere.example/gardens' }]);
    await submit(...(await scenario()));
    expect(await shownChannel()).toMatchObject({ source: 'local', name: KEY });
    expect(await members()).toEqual([]);
    expect(await followers()).toEqual([]);
    await rows('delete from channel');
    await readStoredChannels(
      { db: database.db, registrar: REGISTRAR, changed: () => undefined },
      new AbortController().signal,
    );
    expect(await shownChannel()).toMatchObject({ source: 'protocol', name: 'Gardens' });
  });

  test('is not shown when its key is no id', async () => {
    await submit(register({ key: 'Two words' }));
    expect(await shownChannel()).toBeUndefined();
    expect(await rows('select key from protocol_channel')).toEqual([{ key: 'Two words' }]);
  });

  test('begins with the messages that came before its registration', async () => {
    await submit(await alice.verifyEthereum(alice.wallet(1)), update(alice, 'Early', 1));
    expect(await refusals()).toEqual(['unregistered']);
    await submit(member(bob, bob.fid, 'add'), register(), member(carol, carol.fid, 'add'));
    expect(await refusals()).toEqual([null, null, null]);
    expect(await members()).toEqual(['51 owner', '52 member', '53 member']);
    expect((await shownChannel())?.name).toBe('Early');
  });

  test('invalidates what shows it', async () => {
    await submit(register(), await alice.verifyEthereum(alice.wallet(1)), update(alice, 'Gardens', 1));
    const changedBy = async (...items: Signed[]): Promise<Set<number>> => {
      tags.clear();
      await submit(...items);
      return tags;
    };
    const joined = await changedBy(member(bob, bob.fid, 'add'));
    expect(joined).toContain(channelOf(KEY));
    expect(joined).toContain(channelsOfAccount(bob.fid));
    const followed = await changedBy(bob.react('like', URL));
    for (const tag of [channelOf(KEY), channelFollowersOf(KEY), channelsOfAccount(bob.fid)])
      expect(followed).toContain(tag);
    expect(await changedBy(carol.react('like', `${URL}0`))).not.toContain(channelFollowersOf(KEY));
    expect(await changedBy(carol.react('recast', URL))).not.toContain(channelFollowersOf(KEY));
    expect(await followers()).toEqual([bob.fid]);
    expect(await changedBy(bob.unreact('like', URL))).toContain(channelFollowersOf(KEY));
    expect(await followers()).toEqual([]);
    expect(await shownChannel()).toMatchObject({ follower_count: 0, member_count: 2 });
  });
});

test('messages are announced, and the audit finds nothing', async () => {
  const { db } = database;
  await db.run("insert into hub_position (hub, shard, event_id) values ('test', 1, 1)");
  const report = await submit(...(await scenario()));
  expect(report).toMatchObject({ kept: 0, invalid: {} });
  const [registered] = await rows<{ body: Buffer }>('select body from hub_event where fid = 0');
  expect(registered?.body.includes(Buffer.from(KEY))).toBe(true);
  expect(await audit(db)).toEqual([]);
});

describe('messages that an earlier version stored unread', () => {
  const forgetReading = async (): Promise<void> => {
    for (const table of ['protocol_channel_slot', 'protocol_channel_moderation', 'protocol_channel_message'])
      await rows(`delete from ${table}`);
    for (const table of ['channel', 'channel_parent_url', 'channel_member', 'channel_restriction', 'channel_follow'])
      await rows(`delete from ${table}`);
    await rows(
      `update protocol_channel set name = null, description = null, image_url = null, casting_mode = 2,
              membership_mode = 2, described_at = null, pinned_cast_hash = null, slot_count = 0, moderator_count = 0,
              moderation_count = 0, shown_url = null`,
    );
  };
  const run = () =>
    readStoredChannels(
      { db: database.db, registrar: REGISTRAR, changed: () => undefined },
      new AbortController().signal,
    );

  test('become state in the order in which they were stored', async () => {
    const items = (await scenario()).filter((_item, place) => place !== 1);
    for (const item of items) await submit(item);
    const expected = await everything();
    await forgetReading();
    await run();
    expect(await everything()).toEqual(expected);
    await run();
    expect(await everything()).toEqual(expected);
  });

  test('that hubs would refuse stay as they are', async () => {
    await submit(register(), await alice.verifyEthereum(alice.wallet(1)), update(alice, 'Gardens', 1));
    const broken = make(alice, 19, wireOf({ 2: 0, 3: 1 }));
    await rows(
      `insert into message (fid, message_set, key, type, ts, hash, signer, signature, data, data_form)
       select fid, 15, '\\x01', 19, ts, '\\x01', signer, signature, '\\x${Buffer.from(broken.wire).toString('hex')}', 1
         from message where type = 18`,
    );
    await run();
    expect(await refusals()).toEqual([null, 'invalid']);
    expect(await rows("select count(*)::integer as stored from message where hash = '\\x01'")).toEqual([{ stored: 1 }]);
  });

  test('a registration that was stored without its body is read when it comes again', async () => {
    const whole = register() as Extract<IngestItem, { kind: 'onchain' }>;
    const { kind, event } = whole;
    await submit({ kind, event });
    expect(await rows('select key from protocol_channel')).toEqual([]);
    await submit(whole);
    expect(await rows('select key from protocol_channel')).toEqual([{ key: KEY }]);
    expect((await submit(whole)).known).toBe(1);
  });
});
