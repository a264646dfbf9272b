import { UserDataType } from '@farcaster/core';
import { afterEach, expect, test } from 'vitest';
import { createFidFilter } from '../src/ingest/fid-filter.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Signed } from '../src/sample/signed-message.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  openHubFixture,
  type Reading,
  registration,
  storedHashes,
  until,
  waitUntilSynced,
} from './support/hub-fixture.js';

let hub: FakeHub;
let reading: Reading;

const open = async (fids: readonly number[]): Promise<void> => {
  hub = new FakeHub();
  hub.pageLimit = 2;
  await hub.start();
  reading = await openHubFixture(hub, createFidFilter(fids));
};

afterEach(async () => {
  await reading.stop();
  hub.stop();
});

const hex = ({ hash }: Signed): string => Buffer.from(hash).toString('hex');

/** Waits until exactly these of all the test's casts, reactions and links are stored. */
const expectStored = async (all: readonly Signed[], expected: readonly Signed[]): Promise<void> => {
  const known = new Set(all.map(hex));
  await until(async () =>
    expect((await storedHashes(reading.db)).filter((hash) => known.has(hash))).toEqual(expected.map(hex).sort()),
  );
  expect(await audit(reading.db)).toEqual([]);
};

const usernames = async (): Promise<(string | null)[]> => {
  const rows = await reading.db.run<{ username: string | null }>('select username from account order by fid');
  return rows.map((row) => row.username);
};

test('the stream stores messages of chosen accounts and messages addressed to them, with the profiles of their authors', async () => {
  await open([1]);
  const [chosen, friend, stranger, other] = authors(1, 2, 3, 4);
  for (const account of [chosen, friend, stranger, other]) hub.say(...(await registration(account)));
  const cast = chosen.cast({ text: 'mine' });
  const reply = friend.cast({ text: 'to you', parent: cast });
  const deep = other.cast({ text: 'not to you', parent: reply });
  const mention = stranger.cast({ text: ['hello ', chosen.fid] });
  const quote = stranger.cast({ text: 'look', embeds: [cast] });
  const mine = [cast, chosen.follow(other.fid), chosen.react('like', deep)];
  const recast = stranger.react('recast', cast);
  const liked = friend.react('like', cast);
  const toMe = [reply, mention, quote, liked, recast, friend.follow(1)];
  const foreign = [deep, other.follow(friend.fid), other.react('like', reply), stranger.cast({ text: 'to nobody' })];
  reading.start();
  await until(() => expect(hub.listeners).toBe(hub.state.shards.length));
  const all = [...mine, ...toMe, ...foreign];
  hub.say(...all);
  await expectStored(all, [...mine, ...toMe]);
  // The chosen one and the two that addressed it; of account 4, which it follows, nothing was ever addressed to it.
  expect((await usernames()).filter((name) => name !== null)).toEqual(['user1', 'user2', 'user3']);

  // Later events of a referenced account: a new name, removals, a key.
  hub.say(friend.userData(UserDataType.DISPLAY, 'A friend'), other.userData(UserDataType.DISPLAY, 'Nobody'));
  hub.say(stranger.removeCast(mention.hash), friend.unfollow(1));
  hub.say(friend.removeSigner());
  await expectStored(all, [...mine, reply, quote, liked, recast]);
  const [row] = await reading.db.run<{ n: number }>("select count(*) n from account where display_name = 'Nobody'");
  expect(row?.n).toBe(0);
});

test('a load of chosen accounts includes messages addressed to them, page by page, and repairs gaps', async () => {
  await open([1, 2]);
  const [first, second, ...fans] = authors(1, 2, 11, 12, 13, 14, 15);
  for (const account of [first, second, ...fans]) hub.say(...(await registration(account)));
  const cast = first.cast({ text: 'mine' });
  const likes = fans.map((fan) => fan.react('like', cast));
  const follows = fans.map((fan) => fan.follow(second.fid));
  const replies = fans.map((fan) => fan.cast({ text: 'me too', parent: cast }));
  const mentions = fans.map((fan) => fan.cast({ text: ['hi ', second.fid] }));
  const foreign = fans.map((fan) => fan.cast({ text: 'to nobody' }));
  const addressed = [cast, ...likes, ...follows, ...replies, ...mentions];
  const all = [...addressed, ...foreign];
  hub.say(...all);
  reading.start();
  await expectStored(all, addressed);
  await waitUntilSynced(reading.db);
  expect(await usernames()).toEqual([1, 2, 11, 12, 13, 14, 15].map((fid) => `user${fid}`));

  hub.stop();
  const [fan] = fans;
  const gone = [likes[0], follows[1], mentions[2]] as [Signed, Signed, Signed];
  hub.say((fan as (typeof fans)[0]).unreact('like', cast), fans[1].unfollow(second.fid));
  hub.prune(gone[2]);
  const late = fans[3].cast({ text: 'late', parent: cast });
  hub.say(late);
  hub.pruneLog();
  await hub.start();
  hub.tick();
  await expectStored([...all, late], [...addressed.filter((one) => !gone.includes(one)), late]);
});

test('accounts chosen later are loaded at the next start, without loading the others again', async () => {
  await open([1]);
  const [first, second] = authors(1, 2);
  for (const account of [first, second]) hub.say(...(await registration(account)));
  const casts = [first.cast({ text: 'one' }), second.cast({ text: 'two' })] as const;
  hub.say(...casts);
  reading.start();
  await expectStored(casts, [casts[0]]);
  await waitUntilSynced(reading.db);
  await reading.reader.stop();
  hub.requestedFids.length = 0;
  const filter = createFidFilter([1, 2]);
  reading.choose(filter);
  reading.start({ filter });
  await expectStored(casts, casts);
  await until(() => expect(hub.requestedFids).toContain(2));
  await waitUntilSynced(reading.db);
  expect(new Set(hub.requestedFids)).toEqual(new Set([2]));
});

test('what others addressed to a chosen account is loaded, although its key was removed since', async () => {
  await open([1]);
  const [chosen, fan] = authors(1, 22);
  for (const account of [chosen, fan]) hub.say(...(await registration(account)));
  const { trustedKeys } = hub.state.account(fan.fid);
  const other = fan.withKey(1);
  trustedKeys.push(other.signer);
  const follow = other.follow(chosen.fid);
  hub.say(other.userData(UserDataType.DISPLAY, 'A fan'), follow);
  trustedKeys.pop();
  reading.start();
  await waitUntilSynced(reading.db);
  await expectStored([follow], [follow]);
  const [row] = await reading.db.run<{ name: string }>('select display_name as name from account where fid = 22');
  expect(row?.name).toBe('A fan');
});
