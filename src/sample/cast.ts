import type { CastRef } from './author.js';
import type { TextPart } from './cast-text.js';
import { type TextKind, writeText } from './cast-writer.js';
import { SAMPLE_CHANNELS } from './channel.js';
import { DAY } from './clock.js';
import { eventText } from './event-phrase.js';
import type { Step } from './planned-message.js';
import { createRandom, createWeightedSampler, type Random } from './random.js';
import type { Person } from './sample-user.js';
import type { Signed } from './signed-message.js';

/** A cast before it is signed; `number` counts all casts of the sample in the order of their time. */
export interface PlannedCast {
  readonly number: number;
  readonly author: Person;
  /** protocol seconds */
  readonly at: number;
  readonly parent: PlannedCast | string | undefined;
  readonly quoted: PlannedCast | undefined;
  readonly text: readonly TextPart[];
  readonly urls: readonly string[];
  /** Index of `SAMPLE_CHANNELS`, inherited from the thread's root; -1 outside channels. */
  readonly channel: number;
  /** Replies between this one and the root. */
  readonly depth: number;
  /** Relative attention that it gets. */
  readonly weight: number;
  /** When its author removed it. */
  readonly removedAt: number | undefined;
}

/** The oldest cast has this age in days; frequency grows towards the present. */
const SPAN_DAYS = 120;
const REMOVED_SHARE = 0.02;
const REPLY_SHARE = 0.46;
const QUOTE_SHARE = 0.06;
const SPAM_CASTS_SHARE = 0.005;

/**
 * @param pictures base URL of pictures, for `pictureUrl`
 * @returns `count` casts that remain and some that are removed, in order of time; the last is at `now`
 */
export const planCasts = (
  seed: string,
  people: readonly Person[],
  count: number,
  now: number,
  pictures: string,
): PlannedCast[] => {
  const random = createRandom(seed, 'casts');
  const slots = planSlots(random, people, count + Math.round(count * REMOVED_SHARE), now);
  const removed = new Set(random.sample([...slots.keys()].slice(0, -1), slots.length - count));
  const casts: PlannedCast[] = [];
  const inbox = new Map<number, PlannedCast[]>();
  for (const [number, { author, at }] of slots.entries()) {
    const context = choose(random, author, casts, inbox, at);
    const removedAt = removed.has(number) ? Math.min(now, at + random.between(20, 2 * DAY)) : undefined;
    const written = writeText(random, { author, people, pictures, ...context });
    const event = context.kind === 'root' && !author.isSpam && at > now - DAY ? eventText(seed, number) : undefined;
    const cast: PlannedCast = {
      number,
      author,
      at,
      removedAt,
      ...context,
      ...written,
      ...(event !== undefined && { text: [event] }),
      weight: attention(random, author, context, removedAt !== undefined),
    };
    casts.push(cast);
    deliver(inbox, cast);
  }
  return casts;
};

export const castSteps = (casts: readonly PlannedCast[]): Step[] =>
  casts.flatMap((cast) => {
    const { author, at, number, removedAt } = cast;
    const step: Step = {
      fid: author.fid,
      at,
      make: (by, written) => {
        const made = by.cast({ ...references(cast, written), text: cast.text, at });
        written[number] = made;
        return made.item;
      },
    };
    if (removedAt === undefined) return [step];
    const removal: Step = {
      fid: author.fid,
      at: removedAt,
      make: (by, written) => by.removeCast(castOf(written, cast).hash, removedAt).item,
    };
    return [step, removal];
  });

/** @returns the reference of a signed cast: the steps run in order of time */
export const castOf = (written: readonly Signed[], cast: PlannedCast): CastRef => written[cast.number] as Signed;

const references = (cast: PlannedCast, written: readonly Signed[]) => {
  const { parent, quoted, urls } = cast;
  const embeds = quoted === undefined ? urls : [castOf(written, quoted), ...urls];
  if (parent === undefined) return { embeds };
  return { embeds, parent: typeof parent === 'string' ? parent : castOf(written, parent) };
};

/**
 * Assigns authors and times in order. No author writes twice in one second, since two equal casts of one second are the
 * same.
 */
const planSlots = (random: Random, people: readonly Person[], count: number, now: number) => {
  const spam = people.filter((person) => person.isSpam);
  const sampleWriter = createWeightedSampler(people.map((person) => person.activity));
  const used = new Set<string>();
  const slots = Array.from({ length: count }, () => {
    const isSpam = random.chance(SPAM_CASTS_SHARE * spam.length);
    const author = isSpam ? random.pick(spam) : (people[sampleWriter(random)] as Person);
    const life = Math.min(SPAN_DAYS * DAY, now - author.joined - DAY);
    let at = now - Math.floor(life * random.next() ** 2.2);
    while (used.has(`${author.fid} ${at}`)) at--;
    used.add(`${author.fid} ${at}`);
    return { author, at };
  });
  slots.sort((a, b) => a.at - b.at || a.author.fid - b.author.fid);
  const last = slots.at(-1);
  if (last !== undefined) last.at = now;
  return slots;
};

type Context = Pick<PlannedCast, 'parent' | 'quoted' | 'channel' | 'depth'> & { readonly kind: TextKind };

const choose = (
  random: Random,
  author: Person,
  casts: readonly PlannedCast[],
  inbox: ReadonlyMap<number, PlannedCast[]>,
  at: number,
): Context => {
  const point = random.next();
  const none = { quoted: undefined, depth: 0 };
  if (author.isSpam && point < 0.6) return { ...none, kind: 'spam', parent: undefined, channel: -1 };
  if (point < REPLY_SHARE) {
    const parent = choosePartner(random, author, casts, inbox, at);
    if (parent !== undefined) {
      const kind = author.isSpam ? 'spam' : 'reply';
      return { ...none, kind, parent, channel: parent.channel, depth: parent.depth + 1 };
    }
  }
  const channel = random.chance(0.62) ? chooseChannel(random, author) : -1;
  const parent =
    SAMPLE_CHANNELS[channel]?.parentUrl ?? (random.chance(0.02) ? 'https://news.example/today' : undefined);
  if (point < REPLY_SHARE + QUOTE_SHARE && casts.length > 20) {
    return { kind: 'quote', parent, quoted: chooseCast(random, author, casts, at), channel, depth: 0 };
  }
  return { ...none, kind: 'root', parent, channel };
};

/** Chooses the favourite channel half of the time. */
const chooseChannel = (random: Random, author: Person): number =>
  random.chance(0.5) ? (author.channels[0] as number) : random.pick(author.channels);

/** Chooses as often a cast that addressed the author as a popular one. */
const choosePartner = (
  random: Random,
  author: Person,
  casts: readonly PlannedCast[],
  inbox: ReadonlyMap<number, PlannedCast[]>,
  at: number,
): PlannedCast | undefined => {
  const letters = inbox.get(author.fid);
  if (letters !== undefined && random.chance(0.5)) return letters[letters.length - 1 - random.integer(letters.length)];
  return chooseCast(random, author, casts, at);
};

/** @returns one of the recent casts, preferably of a shared channel and language, and with high attention */
const chooseCast = (
  random: Random,
  author: Person,
  casts: readonly PlannedCast[],
  at: number,
): PlannedCast | undefined => {
  const candidates = Array.from({ length: 8 }, () => {
    const back = Math.floor(random.next() ** 2 * Math.min(600, casts.length));
    return casts[casts.length - 1 - back];
  }).filter((cast) => cast !== undefined && cast.at < at && cast.at > at - 20 * DAY && !cast.author.isSpam);
  if (candidates.length === 0) return undefined;
  const found = candidates as PlannedCast[];
  const weights = found.map((cast) => {
    const shared = author.channels.includes(cast.channel) ? 3 : 1;
    const understood = cast.author.language === author.language ? 2 : 1;
    const self = cast.author.fid === author.fid ? 0.1 : 1;
    return cast.weight * shared * understood * self + 1e-9;
  });
  return found[createWeightedSampler(weights)(random)];
};

const attention = (random: Random, author: Person, { depth }: Context, isRemoved: boolean): number => {
  const spark = Math.exp(1.1 * random.normal());
  const place = depth === 0 ? 1 : 0.35;
  return author.popularity ** 0.8 * spark * place * (isRemoved ? 0.2 : 1);
};

/** Adds the cast to the inboxes of accounts that it replies to or mentions; each has the latest few. */
const deliver = (inbox: Map<number, PlannedCast[]>, cast: PlannedCast): void => {
  if (cast.author.isSpam || cast.removedAt !== undefined) return;
  const parent = typeof cast.parent === 'object' ? [cast.parent.author.fid] : [];
  const addressed = new Set([...parent, ...cast.text.filter((part) => typeof part === 'number')]);
  addressed.delete(cast.author.fid);
  for (const fid of addressed) {
    const letters = inbox.get(fid) ?? [];
    letters.push(cast);
    if (letters.length > 6) letters.shift();
    inbox.set(fid, letters);
  }
};
