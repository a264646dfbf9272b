import { SAMPLE_CHANNELS } from './channel.js';
import type { Random } from './random.js';

const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);

/** What people of a channel write about themselves, by channel id. */
const BY_CHANNEL: Readonly<Record<string, readonly string[]>> = {
  dev: lines(`Writes parsers for a living and shell scripts for love.
    Deletes code. Occasionally replaces it.
    Databases, mostly at night.
    Building small tools with @`),
  food: lines(`Cooks for six, lives alone.
    Will travel for dumplings.
    Sourdough, soup and strong opinions about salt.`),
  music: lines(`Second violin, first in the queue for cake.
    Plays slow songs on old synthesizers.
    Half of a podcast about mixtapes with @ 🎙️`),
  photography: lines(`One camera, one lens, same walk every evening 📷
    Black and white, because I am bad at colour.
    Up before the bakers.`),
  books: lines(`Reading in the bath since 1991.
    Librarian. Yes, we have it. No, it is out.
    Slow reader, long memory 📚`),
  travel: lines(`On a slow train somewhere.
    Collects bus tickets and soup recipes.
    Home is where the laundry is 🚆`),
  art: lines(`Ink on everything, the cat included.
    Teaches a plotter to draw like a person.
    Paints small things on Tuesdays 🎨`),
  football: lines(`Left back in the Sunday league, on the bench by choice.
    Has watched every home game since school ⚽`),
  garden: lines(`Two square metres of balcony and a plan 🌱
    Grows beans. Talks to them. They listen.`),
  science: lines(`Measures things badly, on purpose and with notes 🔬
    Physics by day, stars by night.`),
  cycling: lines(`Forty kilometres before breakfast, cake after 🚴
    Fixes bikes for friends and friends of friends.`),
  film: lines(`Row seven, coat on the next seat 🎬
    Projectionist. I have seen the end of everything.`),
  games: lines(`One more turn 🎲
    Dungeon master of a very patient table.`),
  parents: lines(`Father of two, owner of one matching pair of socks.
    Tired, happy, covered in glitter.`),
  cats: lines(`Staff of two cats 🐈
    My cat would like a word.`),
  lighthouse: lines(`Keeper 🗼 Counts stairs.
    Keeps a lamp lit, most nights.`),
};

const GENERAL = lines(`gm ☀️
  Not a bot 🤖
  New here, be kind.
  Mostly listening.
  Friends with @ since school.
  Bad jokes, good coffee.`);

/** Sentences that may follow. */
const AFTER = ['she/her', 'they/them', 'he/him', 'Opinions are mine.', 'Always curious.'];

const NONE_SHARE = 0.1;
const GENERAL_SHARE = 0.15;
const AFTER_SHARE = 0.2;

/**
 * @param channels indexes of `SAMPLE_CHANNELS`
 * @returns what somebody of these channels writes about themselves, with `@` for a username; '': nothing
 */
export const biography = (random: Random, channels: readonly number[]): string => {
  if (random.chance(NONE_SHARE)) return '';
  const channel = SAMPLE_CHANNELS[random.pick(channels)]?.id ?? '';
  const text = random.pick(random.chance(GENERAL_SHARE) ? GENERAL : (BY_CHANNEL[channel] ?? GENERAL));
  // Some end with an emoji, or a word.
  return text.endsWith('.') && random.chance(AFTER_SHARE) ? `${text} ${random.pick(AFTER)}` : text;
};
