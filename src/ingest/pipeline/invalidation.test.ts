import { OnChainEvent, UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { deleteRows } from '../../../test/support/database-reset.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { type Author, author } from '../../sample/author.js';
import { createClock, sampleTime } from '../../sample/clock.js';
import type { Signed } from '../../sample/signed-message.js';
import { INVALIDATE_ALL } from '../../store/change.js';
import * as tag from '../../store/tag.js';
import { BatchChanges, TAG_LIMIT } from '../batch-changes.js';
import type { IngestItem } from '../item.js';
import type { Ingest } from './pipeline.js';

const SEED = 'invalidation';
const CHANNEL = 'https://channel.example/~/channel/garden';
const FIDS = { alice: 201, bob: 202, carol: 203, dan: 204, erin: 205 };
/** No account of this fid is known. */
const UNKNOWN = 999;
const USERNAMES = ['alice', 'bob', 'wonder', 'queen', 'carol.eth'];

let fixture: TestDatabase;
let ingest: Ingest;
let alice: Author;
let bob: Author;
let carol: Author;
/** Not registered before a test does it. */
let dan: Author;
let erin: Author;
/** All casts that a test named, for readable tags. */
const casts = new Map<string, Signed>();

type Message = Signed | IngestItem;
const itemOf = (message: Message): IngestItem => ('item' in message ? message.item : message);

/** Submits messages as one batch. */
const submit = (...messages: Message[]) => ingest.submit(messages.map(itemOf), { source: 'hub', announce: true });

/** Names a cast, so that the tags in a failing test can be read. */
const named = (name: string, cast: Signed): Signed => {
  casts.set(name, cast);
  return cast;
};

const ofAccount = Object.entries({
  feedOf: tag.feedOf,
  reactionsOf: tag.reactionsOf,
  followsOf: tag.followsOf,
  followersOf: tag.followersOf,
  answersTo: tag.repliesAndReactionsTo,
  relationsOf: tag.relationsOf,
  seenMarksOf: tag.seenMarksOf,
  signersOf: tag.signersOf,
  profileOf: tag.profileOf,
  countersOf: tag.countersOf,
});
const ofCast = Object.entries({ castOf: tag.castOfBytes, castCountsOf: tag.castCountsOfBytes });

/** @returns what each tag that this test knows stands for */
const labels = (): Map<number, string> => {
  const fids = [...Object.entries(FIDS), ['unknown', UNKNOWN] as const];
  return new Map([
    ...ofAccount.flatMap(([kind, of]) => fids.map(([name, fid]) => [of(fid), `${kind} ${name}`] as const)),
    ...ofCast.flatMap(([kind, of]) => [...casts].map(([name, cast]) => [of(cast.hash), `${kind} ${name}`] as const)),
    ...USERNAMES.map((name) => [tag.nameOf(name), `nameOf ${name}`] as const),
    [tag.PLACES, 'PLACES'],
  ]);
};

interface ChangeRow {
  readonly id: number;
  readonly tags: number[];
  readonly is_all: boolean;
}

let lastId = 0;

/** @returns what the tags of the `change` rows since the last call stand for, in order */
const invalidated = async (): Promise<string[]> => {
  const rows = await fixture.db.run<ChangeRow>('select id, tags, is_all from change where id > $1 order by id', [
    lastId,
  ]);
  lastId = rows.at(-1)?.id ?? lastId;
  expect(rows.some((row) => row.is_all)).toBe(false);
  const known = labels();
  return rows.flatMap((row) => row.tags.map((one) => known.get(one) ?? `unknown tag ${one}`)).sort();
};

/** Submits messages as one batch, of which exactly these tags must be invalidated. */
const expectTags = async (messages: Message | Message[], expected: readonly string[]): Promise<void> => {
  await invalidated();
  await submit(...[messages].flat());
  expect(await invalidated()).toEqual([...expected].sort());
};

beforeAll(async () => {
  fixture = await openTestDatabase();
  ingest = openTestIngest(fixture.db);
});
afterAll(() => fixture.drop());

beforeEach(async () => {
  await deleteRows(fixture.db);
  lastId = 0;
  casts.clear();
  const clock = createClock(sampleTime() - 86_400);
  const of = (fid: number) => author({ seed: SEED, fid, clock });
  [alice, bob, carol, dan, erin] = [FIDS.alice, FIDS.bob, FIDS.carol, FIDS.dan, FIDS.erin].map(of) as [
    Author,
    Author,
    Author,
    Author,
    Author,
  ];
  for (const one of [alice, bob, carol]) {
    await submit(one.register(), one.rent(2), await one.addSigner());
    await submit(one.userData(UserDataType.DISPLAY, 'Somebody'));
  }
});

test("a cast is a new row and an entry of its author's feed", async () => {
  const cast = named('cast', alice.cast({ text: 'gm' }));
  await expectTags(cast, ['castOf cast', 'feedOf alice']);
  await expectTags(cast, []);
  await expectTags(alice.removeCast(cast.hash), ['castOf cast', 'feedOf alice']);
  await expectTags(named('in channel', alice.cast({ text: 'gm', parent: CHANNEL })), [
    'castOf in channel',
    'feedOf alice',
  ]);
});

test('a reply, a mention and a quote notify an account; replies and quotes change counts, but not the cast', async () => {
  const parent = named('parent', bob.cast({ text: 'gm' }));
  await submit(parent);
  const reply = named('reply', alice.cast({ text: 'hello', parent }));
  const ofReply = ['castOf reply', 'feedOf alice', 'answersTo bob', 'castCountsOf parent'];
  await expectTags(reply, ofReply);
  await expectTags(alice.removeCast(reply.hash), ofReply);
  const quote = named('quote', alice.cast({ text: ['see, ', carol.fid], embeds: [parent] }));
  const ofQuote = ['castOf quote', 'feedOf alice', 'answersTo bob', 'answersTo carol', 'castCountsOf parent'];
  await expectTags(quote, ofQuote);
  await expectTags(alice.removeCast(quote.hash), ofQuote);
});

test('a cast with a changed thread root is a changed row', async () => {
  const root = named('root', bob.cast({ text: 'gm', parent: CHANNEL }));
  const reply = named('reply', alice.cast({ text: 'hello', parent: root }));
  await submit(reply);
  const expected = ['castOf root', 'feedOf bob', 'castOf reply', 'feedOf alice'];
  await expectTags(root, expected);
  // The replies to a removed cast stay where they were.
  await expectTags(bob.removeCast(root.hash), ['castOf root', 'feedOf bob']);
});

test('a removed cast that arrives after the replies to it changes their rows', async () => {
  const root = named('root', bob.cast({ text: 'gm', parent: CHANNEL }));
  const reply = named('reply', alice.cast({ text: 'hello', parent: root }));
  await submit(reply, bob.removeCast(root.hash));
  await expectTags(root, ['castOf reply', 'feedOf alice']);
});

test('a cast that arrives after reactions to it, or is removed, changes the lists of the reactors', async () => {
  const cast = named('cast', alice.cast({ text: 'gm' }));
  await submit(bob.react('like', cast), carol.react('recast', cast));
  const expected = ['castOf cast', 'feedOf alice', 'reactionsOf bob', 'reactionsOf carol', 'feedOf carol'];
  await expectTags(cast, expected);
  await expectTags(alice.removeCast(cast.hash), expected);
});

test('a reaction changes counts of the cast, but not the cast', async () => {
  const cast = named('cast', alice.cast({ text: 'gm' }));
  await submit(cast);
  const ofLike = ['castCountsOf cast', 'reactionsOf bob', 'answersTo alice'];
  await expectTags(bob.react('like', cast), ofLike);
  await expectTags(bob.unreact('like', cast), ofLike);
  await expectTags(bob.react('recast', cast), [...ofLike, 'feedOf bob']);
  await expectTags(bob.unreact('recast', cast), [...ofLike, 'feedOf bob']);
  await expectTags(bob.react('like', 'https://page.example/'), ['reactionsOf bob']);
});

test('a follow changes the counters of both accounts, and no profile', async () => {
  const expected = ['followsOf alice', 'followersOf bob', 'countersOf alice', 'countersOf bob'];
  await expectTags(alice.follow(bob.fid), expected);
  await expectTags(alice.unfollow(bob.fid), expected);
  await expectTags(alice.follow(UNKNOWN), [
    'followsOf alice',
    'followersOf unknown',
    'countersOf alice',
    'countersOf unknown',
  ]);
  await expectTags(alice.compactLinks('follow', [bob.fid]), [
    'followsOf alice',
    'followersOf unknown',
    'countersOf alice',
    'countersOf unknown',
  ]);
});

test('a block changes the relations of both accounts; other links change nothing', async () => {
  const expected = ['relationsOf alice', 'relationsOf bob'];
  await expectTags(alice.link('block', bob.fid), expected);
  await expectTags(alice.unlink('block', bob.fid), expected);
  await expectTags(alice.link('friend', bob.fid), []);
});

test('user data changes the profile, and a location also the list by location', async () => {
  await expectTags(alice.userData(UserDataType.BIO, 'Gardens'), ['profileOf alice']);
  await expectTags(alice.userData(UserDataType.BIO, 'Gardens'), []);
  await expectTags(alice.userData(UserDataType.PFP, 'https://image.example/a.png'), ['profileOf alice']);
  await expectTags(alice.userData(UserDataType.LOCATION, 'geo:38.72,-9.14'), ['profileOf alice', 'PLACES']);
  await expectTags(alice.userData(UserDataType.LOCATION, ''), ['profileOf alice', 'PLACES']);
});

test('a new name of an account changes its profile, the old and the new name', async () => {
  await expectTags(await alice.fnameProof('alice'), ['nameOf alice']);
  await expectTags(alice.userData(UserDataType.USERNAME, 'alice'), ['profileOf alice', 'nameOf alice']);
  await submit(await alice.fnameProof('wonder'));
  await expectTags(alice.userData(UserDataType.USERNAME, 'wonder'), [
    'profileOf alice',
    'nameOf alice',
    'nameOf wonder',
  ]);
  await expectTags(alice.userData(UserDataType.USERNAME, ''), ['profileOf alice', 'nameOf wonder']);
  await expectTags(await carol.ensProof('carol.eth'), ['nameOf carol.eth']);
});

test('a name that passes to another account changes both profiles', async () => {
  await submit(await alice.fnameProof('queen'), await bob.fnameProof('bob'));
  await submit(alice.userData(UserDataType.USERNAME, 'queen'), bob.userData(UserDataType.USERNAME, 'bob'));
  // Bob loses the name that he showed, and does not get the one that he claims.
  await expectTags(bob.userData(UserDataType.USERNAME, 'queen'), ['profileOf bob', 'nameOf bob']);
  await expectTags(await bob.fnameProof('queen'), ['profileOf alice', 'profileOf bob', 'nameOf queen']);
});

test('a verification changes the profile', async () => {
  await expectTags(await alice.verifyEthereum(alice.wallet(1)), ['profileOf alice']);
  await expectTags(alice.removeVerification(0, alice.wallet(1).address), ['profileOf alice']);
});

test('a signer and its removal change the keys; its messages stay', async () => {
  const second = alice.withKey(1);
  await expectTags(await second.addSigner(), ['signersOf alice']);
  await submit(second.cast({ text: 'gm' }), second.follow(bob.fid));
  await expectTags(second.removeSigner(), ['signersOf alice']);
});

test('an auth address is a key that the profile shows', async () => {
  const item = await alice.withKey(2).addSigner();
  if (item.kind !== 'onchain') throw new Error('A signer is added onchain.');
  const event = OnChainEvent.decode(OnChainEvent.encode(item.event).finish());
  if (event.signerEventBody) event.signerEventBody.keyType = 2;
  await expectTags({ ...item, event }, ['signersOf alice', 'profileOf alice']);
  await expectTags(alice.withKey(2).removeSigner(), ['signersOf alice', 'profileOf alice']);
});

test('registration, custody, pro subscription and the first message change the profile; storage does not', async () => {
  await expectTags(dan.register(), ['profileOf dan']);
  await expectTags(dan.rent(2), []);
  await expectTags(await dan.addSigner(), ['signersOf dan']);
  await expectTags(named('first', dan.cast({ text: 'gm' })), ['profileOf dan', 'castOf first', 'feedOf dan']);
  await expectTags(named('second', dan.cast({ text: 'gm' })), ['castOf second', 'feedOf dan']);
  await expectTags(dan.transfer(1), ['profileOf dan']);
  await expectTags(dan.buyPro(30), ['profileOf dan']);
  await expectTags(dan.lendStorage(bob.fid, 1), []);
});

test('a batch has each tag once, and tags of counters only if they changed', async () => {
  const cast = named('cast', alice.cast({ text: 'gm' }));
  await submit(erin.register(), erin.rent(1), await erin.addSigner(), cast);
  await submit(erin.follow(alice.fid));
  const like = bob.react('like', cast);
  await expectTags(
    [erin.unfollow(alice.fid), erin.follow(bob.fid), like, bob.unreact('like', cast), carol.react('like', cast)],
    [
      'followsOf erin',
      'followersOf alice',
      'followersOf bob',
      'countersOf alice',
      'countersOf bob',
      'reactionsOf carol',
      'answersTo alice',
      'castCountsOf cast',
    ],
  );
});

test('too many tags invalidate everything', () => {
  const changes = new BatchChanges();
  changes.invalidateProfiles(Array.from({ length: TAG_LIMIT }, (_, index) => index + 1));
  expect(changes.invalidatesAll()).toBe(false);
  expect(changes.invalidation()).toMatchObject({ all: false, tags: { length: TAG_LIMIT } });
  changes.countCast(1, new Uint8Array(20), 'likeCount', 1);
  expect(changes.invalidation()).toEqual(INVALIDATE_ALL);
  const all = new BatchChanges();
  all.invalidateAll();
  expect(all.invalidation()).toMatchObject({ all: true });
});
