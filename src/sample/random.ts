import { createHash } from 'node:crypto';

/** Random numbers determined by a seed, so that a sample network is the same on every machine. */
export interface Random {
  /** @returns a number in [0, 1) */
  next(): number;
  /** @returns an integer in [0, bound) */
  integer(bound: number): number;
  /** @returns an integer in [low, high], both included */
  between(low: number, high: number): number;
  /** @returns true with the given probability */
  chance(probability: number): boolean;
  /** @returns one element; the list must not be empty */
  pick<T>(list: readonly T[]): T;
  /** @returns `count` different elements in random order, fewer when the list is shorter */
  sample<T>(list: readonly T[], count: number): T[];
  /** @returns a number around 0 with standard deviation 1 (sum of uniforms, so never beyond ±3) */
  normal(): number;
}

/** @returns 32 bytes derived from the seed and the labels: private keys, hashes, addresses */
export const derive = (seed: string, ...labels: readonly (string | number)[]): Uint8Array =>
  new Uint8Array(
    createHash('sha256')
      .update([seed, ...labels].join('\u0000'))
      .digest(),
  );

/**
 * The generator is sfc32 (PractRand's small fast counter), seeded from a SHA-256 of seed and labels: other labels give
 * an independent stream, so that one part of the network can change without the others.
 */
export const createRandom = (seed: string, ...labels: readonly (string | number)[]): Random => {
  const state = new Uint32Array(derive(seed, ...labels).buffer.slice(0, 16));
  let [a = 0, b = 0, c = 0, counter = 1] = state;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  const integer = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    integer,
    between: (low, high) => low + integer(high - low + 1),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[integer(list.length)] as T,
    sample: <T>(list: readonly T[], count: number) => {
      const rest = [...list];
      const taken: T[] = [];
      while (taken.length < count && rest.length > 0) {
        const index = integer(rest.length);
        taken.push(rest[index] as T);
        rest[index] = rest[rest.length - 1] as T;
        rest.pop();
      }
      return taken;
    },
    normal: () => (next() + next() + next() - 1.5) * 2,
  };
};

/** Draws indexes with given weights. @returns an index below the number of weights */
export type WeightedSampler = (random: Random) => number;

/** @param weights none negative, at least one above 0 */
export const createWeightedSampler = (weights: ArrayLike<number>): WeightedSampler => {
  const cumulative = new Float64Array(weights.length);
  let sum = 0;
  for (let index = 0; index < weights.length; index++) {
    sum += weights[index] as number;
    cumulative[index] = sum;
  }
  return (random) => {
    const point = random.next() * (cumulative[cumulative.length - 1] as number);
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] as number) > point) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};

/** @returns Zipf's weight of a rank (0 is the first): few get much, many get little */
export const zipf = (rank: number, exponent = 1): number => 1 / (rank + 2) ** exponent;
