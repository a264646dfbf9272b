import { describe, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Signed } from '../src/sample/signed-message.js';
import { channelOf, channelsOfAccount } from '../src/store/tag.js';
import { storeChannels } from './support/channel.js';
import { wireOf } from './support/channel-message.js';
import { AT, CAST, KEY, make, member, protocolChannels, URL, update } from './support/protocol-channel.js';

/*
 * Channels of the protocol through the real pipeline and a real database: what the network says becomes rows, in the order
 * of arrival, whatever the batches and repetitions.
 */

const network = protocolChannels();
const { alice, bob, carol, dan, tags, open, submit, registerAccounts, register, scenario, runJob, empty, db } = network;
const { rows, shownChannel, members, banned, followers, refusals, everything } = network;

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
  await runJob();
  expect(await everything()).toEqual(oneByOne);

  await empty();
  await registerAccounts();
  await submit(...items);
  expect(await everything()).toEqual(oneByOne);
});

test('the order of arrival decides, not that of timestamps', async () => {
  const early = update(alice, 'Signed first', 1);
  const late = update(alice, 'Signed last', 1);
  await submit(register(), await alice.verifyEthereum(alice.wallet(1)), late, early);
  expect((await shownChannel())?.name).toBe('Signed first');
});

test('a message that was removed and comes again is not applied twice', async () => {
  const first = update(alice, 'First');
  await submit(register(), await alice.verifyEthereum(alice.wallet(1)), first, update(alice, 'Second'));
  await submit({ kind: 'removal', reason: 'revoke', wire: first.wire }, first);
  expect((await shownChannel())?.name).toBe('Second');
  expect(await rows('select hash from message where type = 18')).toHaveLength(2);
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

  test('loses the channel with its verification, when a hub revokes that', async () => {
    const verification = await alice.verifyEthereum(alice.wallet(1));
    await submit(register(), verification, update(alice, 'Gardens'));
    await submit({ kind: 'removal', reason: 'revoke', wire: verification.wire });
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
    const found = await runJob();
    expect(await shownChannel()).toMatchObject({ name: 'Gardens', follower_count: 1, member_count: 3 });
    expect(await members()).toEqual(['51 owner', '52 moderator', '54 member']);
    expect(await banned()).toEqual([carol.fid]);
    expect(await followers()).toEqual([bob.fid]);
    for (const tag of [channelOf(KEY), ...[51, 52, 53, 54].map(channelsOfAccount)]) expect(found).toContain(tag);
  });

  test('does not take the id or the URL of a channel of another source', async () => {
    await storeChannels(db(), [{ id: KEY, parentUrl: 'https://elsewhere.example/gardens' }]);
    await submit(...(await scenario()));
    expect(await shownChannel()).toMatchObject({ source: 'local', name: KEY });
    expect(await members()).toEqual([]);
    expect(await followers()).toEqual([]);
    await rows('delete from channel');
    await runJob();
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
    for (const tag of [channelOf(KEY), channelsOfAccount(bob.fid)]) expect(followed).toContain(tag);
    expect(await changedBy(carol.react('like', `${URL}0`))).not.toContain(channelOf(KEY));
    expect(await changedBy(carol.react('recast', URL))).not.toContain(channelOf(KEY));
    expect(await followers()).toEqual([bob.fid]);
    expect(await changedBy(bob.unreact('like', URL))).toContain(channelOf(KEY));
    expect(await followers()).toEqual([]);
    expect(await shownChannel()).toMatchObject({ follower_count: 0, member_count: 2 });
  });
});

test('messages are announced, and the audit finds nothing', async () => {
  await db().run("insert into hub_position (hub, shard, event_id) values ('test', 1, 1)");
  const report = await submit(...(await scenario()));
  expect(report).toMatchObject({ kept: 0, invalid: {} });
  const [registered] = await rows<{ body: Buffer }>('select body from hub_event where fid = 0');
  expect(registered?.body.includes(Buffer.from(KEY))).toBe(true);
  expect(await audit(db())).toEqual([]);
});
