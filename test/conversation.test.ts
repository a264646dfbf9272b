import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let thread: Record<'root' | 'a' | 'b' | 'c' | 'aa' | 'ab' | 'aaa' | 'aaaa', Signed>;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => {
    expect((await network.load(items)).invalid).toEqual({});
  });
  const { alice, bob, carol, dan } = seeded;
  const reply = (who: Author, text: string, parent: Signed): Signed => who.cast({ text, parent });
  const root = alice.cast({ text: 'root' });
  const a = reply(bob, 'a', root);
  const b = reply(carol, 'b', root);
  const aa = reply(dan, 'aa', a);
  const c = reply(bob, 'c', root);
  const ab = reply(alice, 'ab', a);
  const aaa = reply(bob, 'aaa', aa);
  const aaaa = reply(carol, 'aaaa', aaa);
  thread = { root, a, b, c, aa, ab, aaa, aaaa };
  await seeded.send(...Object.values(thread));
});
afterAll(() => network.stop());

const hashOf = (cast: { readonly hash: Uint8Array }): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const ask = async (query: string): Promise<TestResponse> => {
  const answer = await network.get(`/v2/social/cast/conversation/?${query}`);
  if (contractAvailable) {
    expect(validateAgainstContract('lookup-cast-conversation', answer.status, answer.body)).toEqual([]);
  }
  return answer;
};
interface Branch {
  readonly text: string;
  readonly direct_replies: readonly Branch[];
}
/** A conversation as `text(reply reply(...))`. */
const shape = ({ text, direct_replies }: Branch): string =>
  direct_replies.length === 0 ? text : `${text}(${direct_replies.map(shape).join(' ')})`;
const conversation = async (cast: Signed, more = ''): Promise<TestResponse['body']> => {
  const { status, body } = await ask(`type=hash&identifier=${hashOf(cast)}${more}`);
  expect({ status, message: body.message }).toEqual({ status: 200 });
  return body;
};
const shapeOf = async (cast: Signed, more = ''): Promise<string> =>
  shape((await conversation(cast, more)).conversation.cast);
const appId = async (): Promise<string> => {
  const rows = await network.app.core.db.run<{ id: string }>('select id from app limit 1');
  return (rows[0] as { id: string }).id;
};
const setScore = async (fid: number, score: number): Promise<void> => {
  await network.app.core.db.run('update account set score = $2 where fid = $1', [fid, score]);
};

test('replies nest down to reply_depth, two levels when nothing is said', async () => {
  expect(await shapeOf(thread.root)).toBe('root(a(aa ab) b c)');
  expect(await shapeOf(thread.root, '&reply_depth=0')).toBe('root');
  expect(await shapeOf(thread.root, '&reply_depth=1')).toBe('root(a b c)');
  expect(await shapeOf(thread.root, '&reply_depth=5')).toBe('root(a(aa(aaa(aaaa)) ab) b c)');
  expect(await shapeOf(thread.aa, '&reply_depth=1')).toBe('aa(aaa)');
  const address = encodeURIComponent(`https://client.example/alice/${hashOf(thread.root).slice(0, 10)}`);
  expect(shape((await ask(`type=url&identifier=${address}&reply_depth=1`)).body.conversation.cast)).toBe('root(a b c)');
});

test('include_chronological_parent_casts adds the parent casts, oldest first', async () => {
  expect((await conversation(thread.aaa)).conversation.chronological_parent_casts).toBeUndefined();
  const parents = async (cast: Signed) =>
    (await conversation(cast, '&include_chronological_parent_casts=true')).conversation.chronological_parent_casts.map(
      (parent: Branch) => parent.text,
    );
  expect(await parents(thread.aaa)).toEqual(['root', 'a', 'aa']);
  expect(await parents(thread.root)).toEqual([]);
});

test('replies come by time, backwards, or by what others made of them', async () => {
  expect(await shapeOf(thread.root, '&sort_type=chron')).toBe('root(a(aa ab) b c)');
  expect(await shapeOf(thread.root, '&sort_type=desc_chron')).toBe('root(c b a(ab aa))');
  const { dan, erin, frank } = seeded;
  await setScore(FIDS.bob, 0.4);
  await setScore(FIDS.carol, 0.5);
  await setScore(FIDS.dan, 0.2);
  await setScore(FIDS.alice, 0.9);
  const likes = [dan, erin, frank].map((who) => who.react('like', thread.c));
  await seeded.send(...likes);
  // a: 0.4 x (1 + 2 x 2), b: 0.5 x 1, c: 0.4 x (1 + 3); aa: 0.2 x (1 + 2), ab: 0.9
  expect(await shapeOf(thread.root, '&sort_type=algorithmic')).toBe('root(a(ab aa) c b)');
  await seeded.send(erin.react('recast', thread.c));
  expect(await shapeOf(thread.root, '&sort_type=algorithmic')).toBe('root(c a(ab aa) b)');
});

test('authors with a low score sit below the fold', async () => {
  await setScore(FIDS.bob, 0.4);
  await setScore(FIDS.carol, 0.01);
  await setScore(FIDS.dan, 0.01);
  await setScore(FIDS.alice, 0.9);
  expect(await shapeOf(thread.root)).toBe('root(a(aa ab) b c)');
  expect(await shapeOf(thread.root, '&fold=above')).toBe('root(a(ab) c)');
  expect(await shapeOf(thread.root, '&fold=below')).toBe('root(b)');
  expect(await shapeOf(thread.a, '&fold=below&reply_depth=3')).toBe('a(aa(aaa(aaaa)))');
});

test.each(['chron', 'desc_chron', 'algorithmic'])(
  'direct replies are paged, in order %s: each once, with its own replies',
  async (order) => {
    const whole = await shapeOf(thread.root, `&sort_type=${order}`);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const body = await conversation(thread.root, `&sort_type=${order}&limit=1&cursor=${cursor}`);
      expect(body.conversation.cast.direct_replies).toHaveLength(1);
      seen.push(...body.conversation.cast.direct_replies.map(shape));
      if (body.next.cursor === null) break;
      cursor = body.next.cursor;
    }
    expect(`root(${seen.join(' ')})`).toBe(whole);
  },
);

test('later pages leave out replies that were written after the first', async () => {
  const first = await conversation(thread.root, '&limit=2');
  const now = Math.floor(Date.now() / 1000) - Date.UTC(2021, 0, 1) / 1000;
  const late = seeded.erin.cast({ text: 'late', parent: thread.root, at: now + 120 });
  await seeded.send(late);
  const second = await conversation(thread.root, `&limit=2&cursor=${first.next.cursor}`);
  expect(shape(second.conversation.cast)).toBe('root(c)');
  expect(second.next.cursor).toBeNull();
  await seeded.send(seeded.erin.removeCast(late.hash));
});

test('who is banned, muted or blocked is not among the replies, nor what hangs on theirs', async () => {
  const { db } = network.app.core;
  const app = await appId();
  await db.run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [FIDS.grace, app, FIDS.dan]);
  expect(await shapeOf(thread.root, `&viewer_fid=${FIDS.grace}&reply_depth=5`)).toBe('root(a(ab) b c)');
  const parents = await conversation(
    thread.aaa,
    `&viewer_fid=${FIDS.grace}&include_chronological_parent_casts=true&reply_depth=0`,
  );
  expect(parents.conversation.chronological_parent_casts.map((cast: Branch) => cast.text)).toEqual(['root', 'a']);
  expect(parents.conversation.cast.viewer_context).toEqual({ liked: false, recasted: false });
  await db.run('insert into ban (fid, app_id) values ($1, $2)', [FIDS.bob, app]);
  expect(await shapeOf(thread.root)).toBe('root(b)');
  await db.run('delete from ban');
  await db.run('delete from mute');
});

test('a reply with many replies shows ten of them', async () => {
  const { grace, heidi } = seeded;
  const top = grace.cast({ text: 'top' });
  const below = heidi.cast({ text: 'below', parent: top });
  const many = Array.from({ length: 13 }, (_, index) => grace.cast({ text: `${index}`, parent: below }));
  await seeded.send(top, below, ...many);
  expect(await shapeOf(top)).toBe('top(below(0 1 2 3 4 5 6 7 8 9))');
  expect(await shapeOf(below)).toBe(`below(${many.map((_, index) => index).join(' ')})`);
});

test('what is asked wrongly is refused with the member at fault', async () => {
  const hash = hashOf(thread.root);
  const { next } = await conversation(thread.root, '&limit=1');
  const bad: [string, string][] = [
    [`type=hash&identifier=0x${'0'.repeat(40)}`, 'identifier'],
    ['type=hash&identifier=root', 'identifier'],
    [`type=url&identifier=${hash}`, 'identifier'],
    [`type=url&identifier=${encodeURIComponent('https://client.example/%00/0x12345678')}`, 'identifier'],
    [`type=name&identifier=${hash}`, 'type'],
    [`type=hash&identifier=${hash}&reply_depth=6`, 'reply_depth'],
    [`type=hash&identifier=${hash}&reply_depth=-1`, 'reply_depth'],
    [`type=hash&identifier=${hash}&sort_type=best`, 'sort_type'],
    [`type=hash&identifier=${hash}&fold=left`, 'fold'],
    [`type=hash&identifier=${hash}&limit=51`, 'limit'],
    [`type=hash&identifier=${hash}&viewer_fid=0`, 'viewer_fid'],
    [`type=hash&identifier=${hash}&cursor=nonsense`, 'cursor'],
    [`type=hash&identifier=${hashOf(thread.a)}&cursor=${next.cursor}`, 'cursor'],
    [`type=hash&identifier=${hash}&sort_type=desc_chron&cursor=${next.cursor}`, 'cursor'],
  ];
  for (const [query, property] of bad) {
    const { status, body } = await ask(query);
    expect({ query, status, property: body.property }).toEqual({ query, status: 400, property });
  }
});
