import { biography } from './biography.js';
import { SAMPLE_CHANNELS } from './channel.js';
import { CITIES } from './city.js';
import { DAY } from './clock.js';
import type { Language } from './language.js';
import { sampleUserName, username } from './name.js';
import { createRandom, type Random, zipf } from './random.js';

/** An account of the sample before anything is signed. */
export interface Person {
  readonly fid: number;
  /** Undefined for a few without one. */
  readonly username: string | undefined;
  readonly display: string;
  /** `@` is replaced by a username. */
  readonly bio: string;
  readonly language: Language;
  /** Degrees. */
  readonly place: { readonly latitude: number; readonly longitude: number } | undefined;
  /** Indexes of `SAMPLE_CHANNELS`, the favourite first. */
  readonly channels: readonly number[];
  /** Protocol seconds of the registration. */
  readonly joined: number;
  /** The app that requested the signer key. */
  readonly appFid: number;
  /** Relative number of casts and likes. */
  readonly activity: number;
  /** Relative number of followers and replies. */
  readonly popularity: number;
  readonly isSpam: boolean;
  readonly isPro: boolean;
}

/** Apps with the share of accounts that use each. */
const APPS: readonly (readonly [username: string, display: string, share: number])[] = [
  ['harbor', 'Harbor', 0.6],
  ['lantern', 'Lantern 🏮', 0.85],
  ['skiff', 'Skiff', 1],
];
/** Accounts of the apps: the first ones. */
export const APP_FIDS: readonly number[] = APPS.map((_, index) => index + 1);
const SPAM_SHARE = 0.02;
const OLDEST_DAYS = 900;
const YOUNGEST_DAYS = 30;

/** @returns the accounts in the order of their registration, which is the order of their fids from 1 */
export const planUsers = (seed: string, accounts: number, now: number): Person[] => {
  const random = createRandom(seed, 'people');
  const joined = Array.from({ length: accounts }, () => joinTime(random, now)).sort((a, b) => a - b);
  const fids = joined.map((_, index) => index + 1);
  const leads = new Set(SAMPLE_CHANNELS.map((channel) => channel.leadFid));
  const spam = spamFids(random, fids, leads);
  const fame = ranks(fids, (fid) => random.next() + fid / accounts / 2 - (leads.has(fid) ? 0.5 : 0));
  const zeal = ranks(fids, (fid) => random.next() + (fame[fid - 1] as number) / accounts);
  const taken = new Set<string>(APPS.map(([name]) => name));

  return fids.map((fid, index) => {
    const city = random.pick(CITIES);
    const language = random.chance(0.45) ? city[3] : 'en';
    const name = sampleUserName(random, language);
    const app = APPS[index];
    const isSpam = spam.has(fid);
    return {
      fid,
      username: app?.[0] ?? (random.chance(0.01) && !leads.has(fid) ? undefined : username(random, name, taken)),
      display: app?.[1] ?? name.display,
      language,
      ...interests(random, fid),
      place: random.chance(0.52) ? { latitude: near(random, city[1]), longitude: near(random, city[2]) } : undefined,
      joined: joined[index] as number,
      appFid: appOf(random),
      activity: isSpam ? 0 : zipf(zeal[index] as number, 0.8),
      popularity: isSpam ? 0.0001 : zipf(fame[index] as number),
      isSpam,
      isPro: !isSpam && random.chance(0.08),
    };
  });
};

/** @returns up to five channels, and a bio about one of them */
const interests = (random: Random, fid: number): Pick<Person, 'channels' | 'bio'> => {
  const led = SAMPLE_CHANNELS.findIndex((channel) => channel.leadFid === fid);
  const drawn = Array.from({ length: random.between(1, 4) }, () =>
    Math.floor(random.next() ** 1.6 * SAMPLE_CHANNELS.length),
  );
  const channels = [...new Set(led < 0 ? drawn : [led, ...drawn])];
  return { channels, bio: biography(random, channels) };
};

/** Spammers register late and lead no channel. */
const spamFids = (random: Random, fids: readonly number[], leads: ReadonlySet<number>): Set<number> => {
  const late = fids.slice(Math.floor(fids.length / 2)).filter((fid) => fid > APPS.length && !leads.has(fid));
  return new Set(random.sample(late, Math.max(1, Math.round(fids.length * SPAM_SHARE))));
};

/** @returns the rank of each fid, ordered by `key` */
const ranks = (fids: readonly number[], key: (fid: number) => number): number[] => {
  const keyed = fids.map((fid) => [key(fid), fid] as const).sort((a, b) => a[0] - b[0]);
  const places = new Array<number>(fids.length);
  for (const [place, [, fid]] of keyed.entries()) places[fid - 1] = place;
  return places;
};

const appOf = (random: Random): number => {
  const point = random.next();
  return 1 + APPS.findIndex(([, , share]) => point < share);
};

const joinTime = (random: Random, now: number): number =>
  now - Math.floor((YOUNGEST_DAYS + (OLDEST_DAYS - YOUNGEST_DAYS) * random.next()) * DAY);

/** @returns a coordinate within the same city, in steps of a hundredth of a degree */
const near = (random: Random, degrees: number): number => Math.round(degrees * 100 + random.between(-6, 6)) / 100;
