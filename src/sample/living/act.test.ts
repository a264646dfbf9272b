import { expect, test } from 'vitest';
import { lineOf } from '../conversation/conversation.js';
import { planUsers } from '../sample-user.js';
import { type Act, OBSERVER, planAct, STILL_FIDS } from './act.js';
import { type StoredCast, sceneOf } from './scene.js';

const people = planUsers('castellan', 300, 186_000_000);
const plan = { seed: 'castellan', people, pictures: 'http://127.0.0.1:3000/sample' };
const ROOT: StoredCast = {
  fid: OBSERVER,
  hash: Uint8Array.of(1),
  text: 'Hello from a user',
  mentions: [],
  parentFid: null,
  parentHash: null,
};

/** Plans acts one after the other, each with the casts of those before. */
const play = (count: number): { acts: Act[]; casts: StoredCast[] } => {
  const acts: Act[] = [];
  const casts = [ROOT];
  for (let counter = 1; counter <= count; counter++) {
    const act = planAct(plan, sceneOf(casts.toReversed()), counter);
    acts.push(act);
    if (act.kind !== 'cast') continue;
    const parent = typeof act.parent === 'object' ? act.parent : undefined;
    casts.push({
      fid: act.fid,
      hash: Uint8Array.of(counter >> 8, counter & 255),
      text: act.text.filter((part) => typeof part === 'string').join(''),
      mentions: act.text.filter((part) => typeof part === 'number'),
      parentFid: parent?.fid ?? null,
      parentHash: parent?.hash ?? null,
    });
  }
  return { acts, casts };
};

test('the same seed and counter give the same act', () => {
  expect(play(60).acts).toEqual(play(60).acts);
});

test('casts, replies, reactions and follows come from accounts that are not the examples', () => {
  const { acts } = play(300);
  const kinds = acts.map((act) => (act.kind === 'cast' && typeof act.parent === 'object' ? 'reply' : act.kind));
  for (const kind of ['cast', 'reply', 'react', 'follow']) {
    expect(kinds.filter((one) => one === kind).length).toBeGreaterThan(15);
  }
  expect(acts.filter(({ fid }) => fid <= STILL_FIDS || people[fid - 1]?.isSpam)).toEqual([]);
});

test('every fifth act is about account 1', () => {
  const { acts } = play(100);
  const addressed = acts.filter(
    (act, index) =>
      index % 5 === 4 &&
      (act.kind === 'cast'
        ? act.text.includes(OBSERVER) || (typeof act.parent === 'object' && act.parent.fid === OBSERVER)
        : act.kind === 'react'
          ? act.target.fid === OBSERVER
          : act.target === OBSERVER),
  );
  expect(addressed).toHaveLength(20);
  expect(new Set(addressed.map(({ kind }) => kind)).size).toBe(3);
});

test('a reply is one of the conversation of its parent, and is given once', () => {
  const { casts } = play(400);
  const byHash = new Map(casts.map((cast) => [Buffer.from(cast.hash).toString('hex'), cast]));
  const replies = casts.filter(({ parentHash }) => parentHash !== null);
  const pairs = replies.map((reply) => {
    const parent = byHash.get(Buffer.from(reply.parentHash as Uint8Array).toString('hex')) as StoredCast;
    if (parent !== ROOT) expect(lineOf(parent.text)?.replies).toContain(lineOf(reply.text));
    return `${Buffer.from(parent.hash).toString('hex')} ${lineOf(reply.text)?.text ?? reply.text}`;
  });
  expect(replies.length).toBeGreaterThan(60);
  expect(new Set(pairs).size).toBe(pairs.length);
});
