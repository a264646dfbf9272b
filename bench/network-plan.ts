import { DAY, sampleTime } from '../src/sample/clock.js';
import { createRandom, createWeightedSampler, type WeightedSampler, zipf } from '../src/sample/random.js';
import { type Person, planUsers } from '../src/sample/sample-user.js';

/** Size of a generated network. */
export interface NetworkSize {
  readonly accounts: number;
  readonly casts: number;
  readonly reactions: number;
  readonly links: number;
}

/** The benchmark's network at scale 1. */
const FULL: NetworkSize = { accounts: 50_000, casts: 500_000, reactions: 1_500_000, links: 1_000_000 };

/** @returns the size at a scale; the number of accounts has a minimum that the plan needs */
export const networkSize = (scale: number): NetworkSize => ({
  accounts: Math.max(20, Math.round(FULL.accounts * scale)),
  casts: Math.max(20, Math.round(FULL.casts * scale)),
  reactions: Math.round(FULL.reactions * scale),
  links: Math.round(FULL.links * scale),
});

/** The phases in the order of their ingest; later ones refer to casts of earlier ones. */
export const PHASES = ['account', 'name', 'profile', 'cast', 'reply', 'deep-reply', 'link', 'reaction'] as const;
export type Phase = (typeof PHASES)[number];

/** A part of a phase that one thread signs. */
export interface Chunk {
  readonly phase: Phase;
  /** Fids (accounts, names, profiles, links), cast numbers or popularity ranks (reactions); `to` is not included. */
  readonly from: number;
  readonly to: number;
}

/** Data that all threads derive from the size. */
export interface NetworkPlan {
  readonly size: NetworkSize;
  readonly seed: string;
  /** Protocol seconds of the last cast. */
  readonly now: number;
  readonly people: readonly Person[];
  /** Draws the index of an active account. */
  readonly sampleActor: WeightedSampler;
  /** Draws the index of a followed account. */
  readonly sampleIdol: WeightedSampler;
  /** Number of the first cast of each round (casts, replies to them, replies to all earlier ones), and their end. */
  readonly rounds: readonly [number, number, number, number];
  /** Number of follows of each account, by index. */
  readonly follows: Uint32Array;
  /** Number of reactions by rank of the cast's popularity. */
  readonly likes: Uint32Array;
}

/** Seed of the keys of all accounts. */
export const NETWORK_SEED = 'bench';
export const PERIOD = 300 * DAY;
/** A prime, so that multiplying by it modulo a smaller number shuffles. */
const SHUFFLE = 2_147_483_629;

/** Plans the network; takes about a second at scale 1. */
export const planNetwork = (size: NetworkSize): NetworkPlan => {
  const { accounts, casts, reactions, links } = size;
  const now = sampleTime();
  const people = planUsers(NETWORK_SEED, accounts, now);
  const random = createRandom(NETWORK_SEED, 'links');
  const followWeights = Float64Array.from({ length: accounts }, () => zipf(random.integer(accounts), 0.6));
  const castWeights = Float64Array.from({ length: casts }, (_, rank) => zipf(rank, 0.75));
  return {
    size,
    seed: NETWORK_SEED,
    now,
    people,
    sampleActor: createWeightedSampler(people.map((person) => person.activity ** 0.75)),
    sampleIdol: createWeightedSampler(people.map((person) => person.popularity ** 0.8)),
    rounds: [0, Math.round(casts * 0.5), Math.round(casts * 0.85), casts],
    follows: allot(followWeights, links, Math.floor(accounts * 0.6)),
    likes: allot(castWeights, reactions, Math.floor(accounts * 0.8)),
  };
};

/** @returns the number of the cast that has this popularity rank among the first `casts` */
export const castOfRank = (rank: number, casts: number): number =>
  Number((BigInt(rank) * BigInt(SHUFFLE)) % BigInt(casts));

/** @returns the chunks of a phase, each of about `target` items */
export const chunks = (plan: NetworkPlan, phase: Phase, target = 4000): Chunk[] => {
  const { size, rounds } = plan;
  const { accounts } = size;
  if (phase === 'cast') return evenly(phase, rounds[0], rounds[1], target);
  if (phase === 'reply') return evenly(phase, rounds[1], rounds[2], target);
  if (phase === 'deep-reply') return evenly(phase, rounds[2], rounds[3], target);
  if (phase === 'link') return byCount(phase, plan.follows, 1, target);
  if (phase === 'reaction') return byCount(phase, plan.likes, 0, target);
  return evenly(phase, 1, accounts + 1, phase === 'profile' ? target / 4 : target / 10);
};

const evenly = (phase: Phase, from: number, end: number, step: number): Chunk[] => {
  const made: Chunk[] = [];
  for (let start = from; start < end; start += step) made.push({ phase, from: start, to: Math.min(end, start + step) });
  return made;
};

const byCount = (phase: Phase, counts: Uint32Array, offset: number, target: number): Chunk[] => {
  const made: Chunk[] = [];
  let from = 0;
  let sum = 0;
  for (let index = 0; index < counts.length; index++) {
    sum += counts[index] as number;
    if (sum < target && index < counts.length - 1) continue;
    made.push({ phase, from: from + offset, to: index + 1 + offset });
    from = index + 1;
    sum = 0;
  }
  return made;
};

/** @returns `total` distributed by weight as whole numbers, none above `most` */
const allot = (weights: Float64Array, total: number, most: number): Uint32Array => {
  const sum = weights.reduce((whole, weight) => whole + weight, 0);
  const shares = new Uint32Array(weights.length);
  let due = 0;
  let given = 0;
  for (const [index, weight] of weights.entries()) {
    due += (weight / sum) * total;
    const share = Math.min(most, Math.round(due) - given);
    shares[index] = share;
    given += share;
  }
  return shares;
};
