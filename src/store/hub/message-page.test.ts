import { MessageType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { insertCasts } from '../protocol/cast.js';
import { insertLinks } from '../protocol/link.js';
import { type MessageRow, upsertMessages } from '../protocol/message.js';
import { insertReactions } from '../protocol/reaction.js';
import { selectEnvelope, selectEnvelopes } from './message.js';
import {
  type MessagePage,
  type MessageReference,
  selectCastsByMention,
  selectCastsByParent,
  selectLinksByTarget,
  selectMessagesByAuthor,
  selectMessagesBySet,
  selectReactionsByTarget,
} from './message-page.js';

let fixture: TestDatabase;
const hash = (n: number): Buffer => Buffer.alloc(20, n);

const row = (fid: number, type: number, n: number, ts: number, more: Partial<MessageRow> = {}): MessageRow => ({
  fid,
  messageSet: 1,
  key: hash(n),
  type,
  subtype: 0,
  ts,
  hash: hash(n),
  signer: Buffer.alloc(32, 1),
  signature: Buffer.alloc(64, 2),
  signatureScheme: 1,
  data: Buffer.from([n]),
  dataForm: n % 2,
  targetFid: null,
  targetHash: null,
  void: false,
  ...more,
});

const link = (fid: number, n: number, ts: number, subtype: number, isVoid = false): MessageRow =>
  row(fid, MessageType.LINK_ADD, n, ts, { messageSet: 3, subtype, void: isVoid });

beforeAll(async () => {
  fixture = await openTestDatabase();
  const { db } = fixture;
  await upsertMessages(db, [
    // Casts of fid 1: two in one second, so the hash decides; one removal.
    row(1, MessageType.CAST_ADD, 12, 100),
    row(1, MessageType.CAST_ADD, 11, 100),
    row(1, MessageType.CAST_ADD, 200, 90),
    row(1, MessageType.CAST_REMOVE, 13, 110),
    row(1, MessageType.CAST_ADD, 14, 120),
    row(2, MessageType.CAST_ADD, 15, 100),
    link(1, 31, 50, 1),
    link(1, 32, 40, 2),
    link(1, 33, 60, 0),
    link(1, 34, 55, 1, true),
    row(1, MessageType.USER_DATA_ADD, 51, 5, { messageSet: 5, subtype: 1 }),
    row(1, MessageType.USER_DATA_ADD, 52, 4, { messageSet: 5, subtype: 14 }),
  ]);
  const target = { targetFid: 1, targetHash: hash(14) };
  await insertReactions(db, [
    { ...target, type: 1, ts: 130, hash: hash(21), fid: 2 },
    { ...target, type: 1, ts: 131, hash: hash(22), fid: 3 },
    { ...target, type: 2, ts: 129, hash: hash(23), fid: 2 },
  ]);
  await insertLinks(db, [
    { targetFid: 1, type: 1, ts: 10, hash: hash(41), fid: 2 },
    { targetFid: 1, type: 2, ts: 9, hash: hash(42), fid: 3 },
  ]);
  await insertCasts(db, {
    casts: [],
    replies: [
      {
        parentFid: 1,
        parentHash: hash(14),
        ts: 140,
        hash: hash(15),
        fid: 2,
        rootParentUrl: null,
        notifiedFid: null,
      },
      {
        parentFid: 1,
        parentHash: hash(14),
        ts: 139,
        hash: hash(16),
        fid: 3,
        rootParentUrl: null,
        notifiedFid: null,
      },
    ],
    mentions: [{ mentionedFid: 7, ts: 140, hash: hash(15), fid: 2, rootParentUrl: null, notifiedFid: null }],
    quotes: [],
  });
});
afterAll(() => fixture.drop());

const first = (limit = 10, reverse = false): MessagePage => ({ after: undefined, reverse, limit });
const numbers = (rows: readonly MessageReference[]): (number | undefined)[] => rows.map((one) => one.hash[0]);
const casts = (page: MessagePage) => selectMessagesByAuthor(fixture.db, 1, MessageType.CAST_ADD, [0], page);

test("an author's messages come by time, then by hash, without what was removed", async () => {
  expect(numbers(await casts(first()))).toEqual([200, 11, 12, 14]);
  expect(numbers(await casts(first(10, true)))).toEqual([14, 12, 11, 200]);
});

test('a page continues right after its token, in both directions, and past the end there is nothing', async () => {
  const forward = await casts({ after: { timestamp: 100, hash: hash(11) }, reverse: false, limit: 1 });
  expect(numbers(forward)).toEqual([12]);
  expect(numbers(await casts({ after: { timestamp: 100, hash: hash(11) }, reverse: true, limit: 5 }))).toEqual([200]);
  expect(await casts({ after: { timestamp: 0xffff_ffff, hash: hash(0) }, reverse: false, limit: 5 })).toEqual([]);
  expect(await casts({ after: { timestamp: 0xffff_ffff, hash: hash(0) }, reverse: true, limit: 5 })).toHaveLength(4);
});

test('several kinds of link are merged into one order; links that compact state rules out stay away', async () => {
  const links = (subtypes: number[]) => selectMessagesByAuthor(fixture.db, 1, MessageType.LINK_ADD, subtypes, first());
  expect(numbers(await links([0, 1, 2]))).toEqual([32, 31, 33]);
  expect(numbers(await links([1]))).toEqual([31]);
  expect((await links([2]))[0]).toMatchObject({ fid: 1, type: MessageType.LINK_ADD, subtype: 2, ts: 40 });
});

test('lists by target', async () => {
  const { db } = fixture;
  const target = { fid: 1, hash: hash(14) };
  expect(numbers(await selectReactionsByTarget(db, target, [1], first()))).toEqual([21, 22]);
  expect(numbers(await selectReactionsByTarget(db, target, [1, 2], first(2, true)))).toEqual([22, 21]);
  expect(numbers(await selectReactionsByTarget(db, target, [1, 2], first()))).toEqual([23, 21, 22]);
  expect(numbers(await selectLinksByTarget(db, 1, [0, 1, 2], first()))).toEqual([42, 41]);
  expect(numbers(await selectLinksByTarget(db, 1, [1], first()))).toEqual([41]);
  expect(numbers(await selectCastsByParent(db, target, first()))).toEqual([16, 15]);
  expect(await selectCastsByMention(db, 7, first())).toMatchObject([{ fid: 2, subtype: 0, ts: 140 }]);
  const profile = await selectMessagesBySet(db, 1, 5, MessageType.USER_DATA_ADD, first());
  expect(profile.map((one) => one.subtype)).toEqual([14, 1]);
});

test('references lead to the signed messages, whatever is gone is left out', async () => {
  const { db } = fixture;
  const references = await casts(first());
  const gone = { ...(references[0] as MessageReference), hash: hash(99) };
  const found = await selectEnvelopes(db, [...references, gone]);
  expect(found.map((one) => one.dataBytes[0]).sort()).toEqual([11, 12, 14, 200]);
  const odd = found.find((one) => one.hash[0] === 11);
  expect(odd).toMatchObject({ dataForm: 'data_bytes', hashScheme: 1, signatureScheme: 1 });
  expect(await selectEnvelopes(db, [])).toEqual([]);
});

test('a lookup by key returns no message that is removed or ruled out by a compact state', async () => {
  const { db } = fixture;
  const cast = (n: number) => selectEnvelope(db, { fid: 1, messageSet: 1, key: hash(n) }, MessageType.CAST_ADD);
  expect((await cast(14))?.hash).toEqual(hash(14));
  expect(await cast(13)).toBeUndefined();
  const ruledOut = { fid: 1, messageSet: 3, key: hash(34) };
  expect(await selectEnvelope(db, ruledOut, MessageType.LINK_ADD)).toBeUndefined();
});
