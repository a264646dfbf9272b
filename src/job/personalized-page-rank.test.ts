import { expect, test } from 'vitest';
import { computePersonalizedPageRank } from './personalized-page-rank.js';

/** A graph of `size` nodes; seeds and edges as given. */
const spread = (size: number, seeds: number[], edges: [from: number, to: number][]) =>
  computePersonalizedPageRank({
    size,
    seeds: Float64Array.from({ length: size }, (_, place) => seeds[place] ?? 0),
    async *follows() {
      // Two pages, so that what lies between them is tried as well.
      for (const part of [edges.slice(0, 2), edges.slice(2)]) {
        yield {
          from: Int32Array.from(part, ([from]) => from),
          to: Int32Array.from(part, ([, to]) => to),
          length: part.length,
        };
      }
    },
  });

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

test('trust is neither made nor lost', async () => {
  const { rank } = await spread(
    5,
    [1, 2],
    [
      [0, 1],
      [1, 2],
      [2, 0],
      [3, 4],
      [1, 3],
    ],
  );
  expect(sum(rank)).toBeCloseTo(1, 9);
});

test('accounts followed by seeds receive trust and pass part of it on to those they follow', async () => {
  const { received } = await spread(
    4,
    [1],
    [
      [0, 1],
      [1, 2],
    ],
  );
  expect(received[1]).toBeGreaterThan(received[2] as number);
  expect(received[2]).toBeGreaterThan(0);
  expect(received[3]).toBe(0);
});

test('a ring of strangers who follow each other and everybody else receives nothing', async () => {
  const ring: [number, number][] = [
    [2, 3],
    [3, 4],
    [4, 2],
    [2, 0],
    [3, 0],
    [4, 1],
  ];
  const { rank, received } = await spread(5, [1, 1], [[0, 1], [1, 0], ...ring]);
  for (const place of [2, 3, 4]) {
    expect(received[place]).toBe(0);
    expect(rank[place]).toBe(0);
  }
});

test('trust is divided among all that a node follows', async () => {
  const { received } = await spread(
    4,
    [1],
    [
      [0, 1],
      [0, 2],
      [0, 3],
    ],
  );
  expect(received[1]).toBeCloseTo(received[2] as number, 9);
});

test('without seeds all accounts are seeds; an empty network has no trust', async () => {
  const { rank } = await spread(2, [], [[0, 1]]);
  expect(rank[1]).toBeGreaterThan(rank[0] as number);
  expect((await spread(0, [], [])).rank).toHaveLength(0);
});

test.each([
  ['the first edge of a node', [[0, 1]] as const, [1, 2] as const],
  [
    'more edges of a node',
    [
      [0, 1],
      [1, 2],
    ] as const,
    [1, 3] as const,
  ],
])('%s that comes while the ranks are computed makes no trust', async (_, edges, late) => {
  let reads = 0;
  const { rank, received } = await computePersonalizedPageRank({
    size: 4,
    seeds: Float64Array.of(1, 1, 0, 0),
    async *follows() {
      reads += 1;
      const read = reads < 3 ? edges : [...edges, ...Array.from({ length: 50 }, () => late)];
      yield {
        from: Int32Array.from(read, ([from]) => from),
        to: Int32Array.from(read, ([, to]) => to),
        length: read.length,
      };
    },
  });
  expect(reads).toBeGreaterThan(3);
  for (const value of [...rank, ...received]) expect(value).toBeLessThan(1);
  expect(sum(rank)).toBeCloseTo(1, 9);
});
