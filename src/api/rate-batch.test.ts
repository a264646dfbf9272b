import { describe, expect, test } from 'vitest';
import { RateBatch } from './rate-batch.js';
import type { Counted } from './rate-window.js';

/** A store that answers when it is told to. */
const slow = () => {
  const counts = new Map<string, number>();
  const questions: { readonly keys: string[]; readonly answer: (isAway?: boolean) => void }[] = [];
  const count = ({ key, points }: { readonly key: string; readonly points: number }): Counted => {
    const total = (counts.get(key) ?? 0) + points;
    counts.set(key, total);
    return { total, endsInMs: 1000 };
  };
  const batch = new RateBatch(
    (added) =>
      new Promise<readonly Counted[] | undefined>((done) => {
        const answer = (isAway = false): void => done(isAway ? undefined : added.map(count));
        questions.push({ keys: added.map(({ key }) => key), answer });
      }),
  );
  const asked = async (count: number) => {
    await expect.poll(() => questions.length).toBe(count);
    return questions[count - 1] as (typeof questions)[number];
  };
  return { batch, questions, asked };
};

describe('a batch of counts', () => {
  test('asks once for what comes together, and once for all that comes meanwhile', async () => {
    const { batch, asked } = slow();
    const first = ['a', 'b', 'c'].map((key) => batch.add(key, 2, true));
    const one = await asked(1);
    const second = ['d', 'b'].map((key) => batch.add(key, 3, true));
    expect(one.keys).toEqual(['a', 'b', 'c']);
    one.answer();
    expect((await Promise.all(first)).map((counted) => counted?.total)).toEqual([2, 2, 2]);
    const other = await asked(2);
    expect(other.keys).toEqual(['d', 'b']);
    other.answer();
    expect((await Promise.all(second)).map((counted) => counted?.total)).toEqual([3, 5]);
  });

  test('takes along what nobody waits for yet, and asks for it alone when nothing else comes', async () => {
    const { batch, asked } = slow();
    const ahead = batch.add('a', 1, false);
    const awaited = batch.add('b', 1, true);
    const one = await asked(1);
    expect(one.keys).toEqual(['a', 'b']);
    one.answer();
    await Promise.all([ahead, awaited]);
    const later = batch.add('c', 1, false);
    const other = await asked(2);
    expect(other.keys).toEqual(['c']);
    other.answer();
    await later;
  });

  test('never has a key twice in one question', async () => {
    const { batch, asked } = slow();
    const sums = Promise.all([4, 8].map((points) => batch.add('a', points, true)));
    (await asked(1)).answer();
    const other = await asked(2);
    expect(other.keys).toEqual(['a']);
    other.answer();
    expect((await sums).map((counted) => counted?.total)).toEqual([4, 12]);
  });

  test('tells everybody who waits for a question that the counts are away, and nobody else', async () => {
    const { batch, asked } = slow();
    const failing = Promise.all(['a', 'b'].map((key) => batch.add(key, 1, true)));
    const one = await asked(1);
    const next = batch.add('a', 1, true);
    one.answer(true);
    expect(await failing).toEqual([undefined, undefined]);
    (await asked(2)).answer();
    expect(await next).toEqual({ total: 1, endsInMs: 1000 });
  });
});
