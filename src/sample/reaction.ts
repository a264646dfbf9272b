import { castOf, type PlannedCast } from './cast.js';
import { DAY } from './clock.js';
import type { Person } from './sample-user.js';
import { createRandom, type Random, Weighted } from './random.js';
import type { Step } from './planned-message.js';

const UNDONE_SHARE = 0.02;
const HOUR = 3600;

/**
 * Likes and recasts: a few casts get most of them, a few people give most of them, within channels rather than
 * across.
 * @returns the steps of `count` reactions that stay (fewer where so many cannot differ), and of some that were
 *   taken back
 */
export function planReactions(
  seed: string,
  people: readonly Person[],
  casts: readonly PlannedCast[],
  count: number,
  now: number,
): Step[] {
  const random = createRandom(seed, 'reactions');
  const targets = new Weighted(casts.map((cast) => cast.weight));
  const crowd = reactors(people);
  const given = new Set<string>();
  const steps: Step[] = [];
  const undone = Math.round(count * UNDONE_SHARE);
  const attempts = (count + undone) * 20;
  for (let attempt = 0; attempt < attempts && given.size < count + undone; attempt++) {
    const cast = casts[targets.draw(random)] as PlannedCast;
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
}

/** @returns a draw of who reacts to a cast: three times in four somebody who reads its channel */
function reactors(people: readonly Person[]): (random: Random, cast: PlannedCast) => Person {
  const eager = people.filter((person) => !person.isSpam);
  const everybody = new Weighted(eager.map((person) => person.activity));
  const byChannel = new Map<number, { members: Person[]; draw: Weighted }>();
  for (const channel of new Set(eager.flatMap((person) => person.channels))) {
    const members = eager.filter((person) => person.channels.includes(channel));
    byChannel.set(channel, { members, draw: new Weighted(members.map((person) => person.activity)) });
  }
  return (random, cast) => {
    const local = byChannel.get(cast.channel);
    if (local !== undefined && random.chance(0.75)) return local.members[local.draw.draw(random)] as Person;
    return eager[everybody.draw(random)] as Person;
  };
}

/** Most reactions come within hours. */
function reactionTime(random: Random, cast: PlannedCast, person: Person, now: number): number {
  const earliest = Math.max(cast.at, person.joined + DAY);
  const delay = 30 - Math.floor(Math.log(1 - random.next()) * 5 * HOUR);
  return earliest + delay <= now ? earliest + delay : earliest + random.integer(now - earliest + 1);
}
