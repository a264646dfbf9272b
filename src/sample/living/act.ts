import type { CastRef, ReactionTypeName } from '../author.js';
import type { TextPart } from '../cast-text.js';
import { writeText } from '../cast-writer.js';
import { SAMPLE_CHANNELS } from '../channel.js';
import { ADDRESSED_OPENINGS } from '../conversation/conversation.js';
import { createOpenings, type Opening } from '../conversation/opening.js';
import { writeLine } from '../conversation/script.js';
import { createRandom, createWeightedSampler, type Random } from '../random.js';
import type { Person } from '../sample-user.js';
import { type Answer, answersBelow, answerTo, type Scene, type SceneCast } from './scene.js';

/** What an account does next. */
export type Act =
  | {
      readonly kind: 'cast';
      readonly fid: number;
      readonly text: readonly TextPart[];
      readonly embeds: readonly string[];
      /** The cast that is answered, or the URL of a channel. */
      readonly parent: CastRef | string | undefined;
    }
  | { readonly kind: 'react'; readonly fid: number; readonly type: ReactionTypeName; readonly target: CastRef }
  | { readonly kind: 'follow'; readonly fid: number; readonly target: number };

/** What all acts are planned from. */
export interface World {
  readonly seed: string;
  readonly people: readonly Person[];
  /** Base URL of pictures, for `pictureUrl`. */
  readonly pictures: string;
}

/** Whose notifications move: the account that the examples write as. It does nothing itself. */
export const OBSERVER = 1;
/** Accounts up to this one belong to the examples of the reference, which stay as they are. */
export const STILL_FIDS = 4;
/** Every so many acts, something happens to account 1. */
const OBSERVED_EVERY = 5;
const OBSERVED = ['answer', 'like', 'address', 'follow', 'like'] as const;
const CAST_SHARE = 0.3;
const REPLY_SHARE = 0.36;
const REACTION_SHARE = 0.27;
/** Conversations end: casts before the newest ones get no more replies. */
const RUNNING = 30;
/** How many times an opening is drawn that was not said lately. */
const DRAWS = 8;

/** Chooses an account that acts; few of them do most. */
const actor = ({ people }: World, random: Random, fits: (person: Person) => boolean = () => true): Person => {
  const able = people.filter((person) => person.fid > STILL_FIDS && !person.isSpam && fits(person));
  return able[createWeightedSampler(able.map(({ activity }) => activity + 1e-4))(random)] as Person;
};

const urlOf = (channel: number): string | undefined => SAMPLE_CHANNELS[channel]?.parentUrl;

/** @returns an opening that is not among the casts of the scene, if there is one */
const newOpening = (random: Random, author: Person, { casts }: Scene): Opening => {
  const said = new Set(casts.map(({ line }) => line?.text));
  const open = createOpenings(random);
  let opening = open(author, false);
  for (let draw = 1; draw < DRAWS && said.has(opening.line.text); draw++) opening = open(author, false);
  return opening;
};

const openingAct = (world: World, random: Random, scene: Scene): Act => {
  const author = actor(world, random);
  const { line, channel } = newOpening(random, author, scene);
  const { text, urls } = writeText(random, { kind: 'root', author, line, channel, ...world });
  return { kind: 'cast', fid: author.fid, text, embeds: urls, parent: urlOf(channel) };
};

const answerAct = (world: World, random: Random, { parent, speaker, text }: Answer): Act => {
  const author = world.people.find(({ fid }) => fid === speaker) as Person;
  const channel = SAMPLE_CHANNELS.findIndex(({ id }) => id === parent.line?.channel);
  const written = writeText(random, { kind: 'reply', author, line: { text }, channel, ...world });
  return { kind: 'cast', fid: author.fid, text: written.text, embeds: written.urls, parent };
};

const replyAct = (world: World, random: Random, scene: Scene): Act | undefined => {
  const author = actor(world, random);
  const found = scene.casts
    .slice(0, RUNNING)
    .flatMap((parent) => answersBelow(parent, scene, author).map((answer) => ({ answer, parent })))
    .filter(({ answer }) => answer.speaker > STILL_FIDS);
  if (found.length === 0) return undefined;
  // The newest conversations get most replies.
  const chosen = found[Math.floor(random.next() ** 2 * found.length)];
  return chosen && answerAct(world, random, chosen.answer);
};

const reactionAct = (world: World, random: Random, targets: readonly SceneCast[]): Act | undefined => {
  const target = targets[Math.floor(random.next() ** 1.5 * targets.length)];
  if (target === undefined) return undefined;
  const fits = (person: Person): boolean => person.fid !== target.fid;
  const type = random.chance(0.8) ? 'like' : 'recast';
  return { kind: 'react', fid: actor(world, random, fits).fid, type, target };
};

const followAct = (world: World, random: Random, target?: number): Act => {
  const popular = createWeightedSampler(world.people.map(({ popularity }) => popularity ** 0.5));
  const followed = target ?? (world.people[popular(random)] as Person).fid;
  return { kind: 'follow', fid: actor(world, random, ({ fid }) => fid !== followed).fid, target: followed };
};

/** Somebody mentions account 1. */
const addressAct = (world: World, random: Random, { casts }: Scene): Act => {
  const said = new Set(casts.map(({ line }) => line?.text));
  const fresh = ADDRESSED_OPENINGS.filter(({ text }) => !said.has(text));
  const { text } = random.pick(fresh.length > 0 ? fresh : ADDRESSED_OPENINGS);
  const { fid } = actor(world, random);
  return { kind: 'cast', fid, text: writeLine(random, text, () => OBSERVER), embeds: [], parent: undefined };
};

const observedAct = (world: World, random: Random, scene: Scene, turn: number): Act => {
  const own = scene.casts.filter(({ fid }) => fid === OBSERVER);
  const kind = OBSERVED[turn % OBSERVED.length];
  if (kind === 'follow') return followAct(world, random, OBSERVER);
  if (kind === 'like') return reactionAct(world, random, own) ?? addressAct(world, random, scene);
  const author = actor(world, random);
  const answer = kind === 'answer' ? answerTo(own, scene, author, random) : undefined;
  return answer ? answerAct(world, random, answer) : addressAct(world, random, scene);
};

/**
 * Plans what happens next in the sample network: casts, replies of their conversations, likes, recasts and follows, every
 * fifth for account 1. The same arguments give the same act.
 * @param counter of the acts
 */
export const planAct = (world: World, scene: Scene, counter: number): Act => {
  const random = createRandom(world.seed, 'living', counter);
  if (counter % OBSERVED_EVERY === 0) return observedAct(world, random, scene, counter / OBSERVED_EVERY);
  const point = random.next();
  if (point < CAST_SHARE) return openingAct(world, random, scene);
  if (point < CAST_SHARE + REPLY_SHARE) return replyAct(world, random, scene) ?? openingAct(world, random, scene);
  if (point < CAST_SHARE + REPLY_SHARE + REACTION_SHARE) {
    return reactionAct(world, random, scene.casts.slice(0, RUNNING)) ?? openingAct(world, random, scene);
  }
  return followAct(world, random);
};
