import { castOf, type PlannedCast } from './cast.js';
import { DAY } from './clock.js';
import type { Step } from './planned-message.js';
import { createRandom, createWeightedSampler, type Random, type WeightedSampler } from './random.js';
import type { Person } from './sample-user.js';

const UNDONE_SHARE = 0.02;
const HOUR = 3600;

/**
 * Likes and recasts: a few casts get most of them, and a few accounts give most of them, mostly within channels.
 * @returns the steps of `count` reactions that remain (fewer if so many different ones are impossible), and of some
 *   that are removed
 */
export const planReactions = (
  seed: string,
  people: readonly Person[],
  casts: readonly PlannedCast[],
  count: number,
  now: number,
): Step[] => {
  const random = createRandom(seed, 'reactions');
  const sampleTarget = createWeightedSampler(casts.map((cast) => cast.weight));
  const crowd = reactors(people);
  const given = new Set<string>();
  const steps: Step[] = [];
  const undone = Math.round(count * UNDONE_SHARE);
  const attempts = (count + undone) * 20;
  for (let attempt = 0; attempt < attempts && given.size < count + undone; attempt++) {
    const cast = casts[sampleTarget(random)] as PlannedCast;
    const person = crowd(random, cast);
    const type = random.chance(0.8) ? 'like' : 'recast';
    const key = `${person.fid} ${cast.number} ${type}`;
    if (given.has(key) || person.fid === cast.author.fid) continue;
    given.add(key);
    const at = reactionTime(random, cast, person, now);
    const { fid } = person;
    steps.push({ fid, at, make: (by, written) => by.react(type, castOf(written, cast), at).item });
    if (given.size > undone) continue;
    const later = Math.min(now, at + random.between(1, DAY));
    steps.push({ fid, at: later, make: (by, written) => by.unreact(type, castOf(written, cast), later).item });
  }
  return steps;
};

/** @returns a function that chooses who reacts to a cast: three times in four a reader of its channel */
const reactors = (people: readonly Person[]): ((random: Random, cast: PlannedCast) => Person) => {
  const eager = people.filter((person) => !person.isSpam);
  const sampleAnybody = createWeightedSampler(eager.map((person) => person.activity));
  const byChannel = new Map<number, { members: Person[]; sample: WeightedSampler }>();
  for (const channel of new Set(eager.flatMap((person) => person.channels))) {
    const members = eager.filter((person) => person.channels.includes(channel));
    byChannel.set(channel, { members, sample: createWeightedSampler(members.map((person) => person.activity)) });
  }
  return (random, cast) => {
    const local = byChannel.get(cast.channel);
    if (local !== undefined && random.chance(0.75)) return local.members[local.sample(random)] as Person;
    return eager[sampleAnybody(random)] as Person;
  };
};

/** Most reactions come within hours. */
const reactionTime = (random: Random, cast: PlannedCast, person: Person, now: number): number => {
  const earliest = Math.max(cast.at, person.joined + DAY);
  const delay = 30 - Math.floor(Math.log(1 - random.next()) * 5 * HOUR);
  return earliest + delay <= now ? earliest + delay : earliest + random.integer(now - earliest + 1);
};
