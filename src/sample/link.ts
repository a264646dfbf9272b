import { DAY } from './clock.js';
import type { Step } from './planned-message.js';
import { createRandom, createWeightedSampler, type Random } from './random.js';
import type { Person } from './sample-user.js';

const UNDONE_SHARE = 0.04;
const BACK_SHARE = 0.35;
/** Share of the network that a spammer follows. */
const SPAM_REACH = 0.55;
const COMPACTING_SHARE = 0.05;
const DROPPED = 4;

interface Follow {
  readonly from: Person;
  readonly to: Person;
  readonly at: number;
}

/**
 * Follows: most accounts follow a few popular ones, and spammers follow many but have few followers.
 * @returns the steps of `count` follows that remain (fewer if so many different ones are impossible), of some that are
 *   removed one by one or by a compact state, and of blocks
 */
export const planLinks = (seed: string, people: readonly Person[], count: number, now: number): Step[] => {
  const random = createRandom(seed, 'links');
  const undone = Math.round(count * UNDONE_SHARE);
  const follows = planFollows(random, people, count + undone, now);
  const given = new Set(random.sample([...follows.keys()], Math.max(0, follows.length - count)));
  const steps: Step[] = [];
  const kept: Follow[] = [];
  for (const [index, follow] of follows.entries()) {
    const { from, to, at } = follow;
    steps.push({ fid: from.fid, at, make: (by) => by.follow(to.fid, at).item });
    if (!given.has(index)) {
      kept.push(follow);
      continue;
    }
    const later = at + random.integer(now - at + 1);
    steps.push({ fid: from.fid, at: later, make: (by) => by.unfollow(to.fid, later).item });
  }
  return [...steps, ...compactStates(random, people, kept, now), ...planBlocks(random, people, now)];
};

const planFollows = (random: Random, people: readonly Person[], count: number, now: number): Follow[] => {
  const pairs = new Set<number>();
  const follows: Follow[] = [];
  const add = (from: Person, to: Person): void => {
    const pair = from.fid * (people.length + 1) + to.fid;
    if (from.fid === to.fid || pairs.has(pair) || follows.length >= count) return;
    pairs.add(pair);
    const start = Math.max(from.joined, to.joined) + DAY;
    follows.push({ from, to, at: now - Math.floor((now - start) * random.next() ** 1.4) });
  };
  for (const spammer of people.filter((person) => person.isSpam)) {
    for (const to of random.sample(people, Math.min(count * 0.04, people.length * SPAM_REACH))) add(spammer, to);
  }
  const sampleFollower = createWeightedSampler(people.map((person) => person.activity ** 0.6));
  const sampleFollowed = createWeightedSampler(people.map((person) => person.popularity ** 0.75));
  for (let attempt = 0; attempt < count * 20 && follows.length < count; attempt++) {
    const from = people[sampleFollower(random)] as Person;
    const to = people[sampleFollowed(random)] as Person;
    const shared = to.channels.some((channel) => from.channels.includes(channel));
    if (!shared && random.chance(0.4)) continue;
    add(from, to);
    if (!to.isSpam && random.chance(BACK_SHARE)) add(to, from);
  }
  return follows;
};

/**
 * Some clients write the complete list, which removes omitted links. Here it contains the remaining older follows of
 * the author, after a few more that it removes.
 */
const compactStates = (random: Random, people: readonly Person[], kept: readonly Follow[], now: number): Step[] => {
  const authors = random.sample(
    people.filter((person) => !person.isSpam),
    Math.round(people.length * COMPACTING_SHARE),
  );
  return authors.flatMap(({ fid, joined }) => {
    const own = kept.filter((follow) => follow.from.fid === fid);
    const at = now - random.integer(Math.floor((now - joined - DAY) / 2));
    const targets = own.filter((follow) => follow.at <= at).map((follow) => follow.to.fid);
    // Hubs refuse a state without targets.
    if (targets.length === 0) return [];
    const all = new Set(own.map((follow) => follow.to.fid));
    const strangers = people.filter((person) => person.fid !== fid && person.joined + DAY < at && !all.has(person.fid));
    const dropped = random.sample(strangers, DROPPED).map((to): Step => {
      const start = Math.max(joined, to.joined) + DAY;
      const time = start + random.integer(at - start);
      return { fid, at: time, make: (by) => by.follow(to.fid, time).item };
    });
    return [...dropped, { fid, at, make: (by) => by.compactLinks('follow', targets, at).item }];
  });
};

/** One in six blocks a spammer, and some another account; a few unblock it again. */
const planBlocks = (random: Random, people: readonly Person[], now: number): Step[] => {
  const spam = people.filter((person) => person.isSpam);
  return people.flatMap((person) => {
    if (person.isSpam || !random.chance(0.17)) return [];
    const { fid } = person;
    const to = random.pick(random.chance(0.8) && spam.length > 0 ? spam : people);
    const start = Math.max(person.joined, to.joined) + DAY;
    const at = start + random.integer(now - start);
    if (to.fid === fid) return [];
    const block: Step = { fid, at, make: (by) => by.link('block', to.fid, at).item };
    if (!random.chance(0.1)) return [block];
    const later = at + random.integer(now - at + 1);
    return [block, { fid, at: later, make: (by) => by.unlink('block', to.fid, later).item }];
  });
};
