import type { CastRef } from './author.js';
import type { TextPart } from './cast-text.js';
import { type TextKind, writeText } from './cast-writer.js';
import { SAMPLE_CHANNELS } from './channel.js';
import { DAY } from './clock.js';
import { createOpenings } from './conversation/opening.js';
import { type Line, speakerOf } from './conversation/script.js';
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
  /** Undefined for quotes and spam, which begin no conversation. */
  readonly line: Line | undefined;
  /** Lines of `line` that nobody has said yet. */
  readonly open: Line[];
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
  const open = createOpenings(random);
  const byFid = new Map(people.map((person) => [person.fid, person]));
  for (const [number, slot] of slots.entries()) {
    const { at } = slot;
    const context = choose({ random, casts, inbox, byFid, open, now }, slot.author, at);
    const { author } = context;
    const removedAt = removed.has(number) ? Math.min(now, at + random.between(20, 2 * DAY)) : undefined;
    const written = writeText(random, { people, pictures, ...context });
    const cast: PlannedCast = {
      number,
      at,
      removedAt,
      ...context,
      ...written,
      // Nobody answers a picture without its text.
      open: written.text.length > 0 ? [...(context.line?.replies ?? [])] : [],
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

type Context = Pick<PlannedCast, 'author' | 'parent' | 'quoted' | 'line' | 'channel' | 'depth'> & {
  readonly kind: TextKind;
};

/** What was said so far, and what may be said. */
interface Course {
  readonly random: Random;
  readonly casts: readonly PlannedCast[];
  /** The latest casts that address an account. */
  readonly inbox: ReadonlyMap<number, PlannedCast[]>;
  readonly byFid: ReadonlyMap<number, Person>;
  readonly open: ReturnType<typeof createOpenings>;
  readonly now: number;
}

/** @param author of all but the replies that only somebody else can write */
const choose = (course: Course, author: Person, at: number): Context => {
  const { random, casts, now } = course;
  const point = random.next();
  const none = { author, quoted: undefined, line: undefined, depth: 0 };
  if (author.isSpam && point < 0.6) return { ...none, kind: 'spam', parent: undefined, channel: -1 };
  if (point < REPLY_SHARE) {
    const reply = author.isSpam ? spamReply(course, author, at) : chooseReply(course, author, at);
    if (reply !== undefined) return reply;
  }
  if (point < REPLY_SHARE + QUOTE_SHARE && casts.length > 20) {
    const quoted = chooseCast(course, author, at, () => 1);
    const channel = quoted?.channel ?? -1;
    if (quoted !== undefined) return { ...none, kind: 'quote', parent: urlOf(channel), quoted, channel };
  }
  const { line, channel } = course.open(author, at > now - DAY && !author.isSpam);
  const parent = urlOf(channel) ?? (random.chance(0.02) ? 'https://news.example/today' : undefined);
  return { ...none, kind: 'root', parent, line, channel };
};

const urlOf = (channel: number): string | undefined => SAMPLE_CHANNELS[channel]?.parentUrl;

const parentOf = ({ parent }: PlannedCast): PlannedCast | undefined =>
  typeof parent === 'object' ? parent : undefined;

/** @returns who can say a line below a cast at this time, if the author cannot: undefined for nobody */
const speakerBelow = ({ byFid }: Course, cast: PlannedCast, line: Line, author: Person, at: number) => {
  const mentions = cast.text.filter((part) => typeof part === 'number');
  const speaker = speakerOf(line, { mentions, parentFid: parentOf(cast)?.author.fid });
  if (speaker !== 'anybody') {
    const person = speaker === undefined ? undefined : byFid.get(speaker);
    return person !== undefined && !person.isSpam && person.joined + DAY < at ? person : undefined;
  }
  const speaks = line.language === 'en' || line.language === author.language;
  return speaks && cast.author !== author ? author : undefined;
};

/** Continues a conversation: as often one that addressed the author as a popular one. */
const chooseReply = (course: Course, author: Person, at: number): Context | undefined => {
  const { random } = course;
  const linesBelow = (cast: PlannedCast): Line[] =>
    cast.open.filter((line) => speakerBelow(course, cast, line, author, at) !== undefined);
  const letters = course.inbox.get(author.fid)?.filter((cast) => linesBelow(cast).length > 0) ?? [];
  const parent =
    letters.length > 0 && random.chance(0.5)
      ? random.pick(letters)
      : chooseCast(course, author, at, (cast) => linesBelow(cast).length);
  if (parent === undefined) return undefined;
  const line = random.pick(linesBelow(parent));
  parent.open.splice(parent.open.indexOf(line), 1);
  const speaker = speakerBelow(course, parent, line, author, at) as Person;
  return { kind: 'reply', author: speaker, parent, quoted: undefined, line, ...below(parent) };
};

const spamReply = (course: Course, author: Person, at: number): Context | undefined => {
  const parent = chooseCast(course, author, at, () => 1);
  return parent && { kind: 'spam', author, parent, quoted: undefined, line: undefined, ...below(parent) };
};

const below = ({ channel, depth }: PlannedCast) => ({ channel, depth: depth + 1 });

/**
 * @param weigh 0: the cast is out of question
 * @returns one of the recent casts, preferably of a shared channel and language, and with high attention
 */
const chooseCast = (
  { random, casts }: Course,
  author: Person,
  at: number,
  weigh: (cast: PlannedCast) => number,
): PlannedCast | undefined => {
  const found = Array.from({ length: 16 }, () => {
    const back = Math.floor(random.next() ** 2 * Math.min(400, casts.length));
    return casts[casts.length - 1 - back] as PlannedCast;
  }).filter((cast) => cast !== undefined && cast.at < at && cast.at > at - 20 * DAY && !cast.author.isSpam);
  const weights = found.map((cast) => {
    const shared = author.channels.includes(cast.channel) ? 3 : 1;
    const understood = cast.author.language === author.language ? 2 : 1;
    const self = cast.author.fid === author.fid ? 0.1 : 1;
    return weigh(cast) > 0 ? cast.weight * shared * understood * self + 1e-9 : 0;
  });
  if (!weights.some((weight) => weight > 0)) return undefined;
  return found[createWeightedSampler(weights)(random)];
};

const attention = (random: Random, author: Person, { depth }: Pick<Context, 'depth'>, isRemoved: boolean): number => {
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
