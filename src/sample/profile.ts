import { bytesToBase58, UserDataType } from '@farcaster/core';
import type { Author } from './author.js';
import { DAY } from './clock.js';
import { pictureUrl } from './picture/picture-address.js';
import type { Step } from './planned-message.js';
import { createRandom, type Random } from './random.js';
import { APP_FIDS, type Person } from './sample-user.js';
import type { KeyRequester } from './verification-claim.js';

export interface ProfileContext {
  readonly seed: string;
  /** Protocol seconds of the newest message. */
  readonly now: number;
  readonly people: readonly Person[];
  /** Base URL of pictures, for `pictureUrl`. */
  readonly pictures: string;
  /** Storage units that the account's activity needs. */
  readonly units: number;
  /** @returns the app that requests a signer key, by its fid */
  requester(appFid: number): KeyRequester;
}

/**
 * @returns the creation of an account in an order that hubs accept: registration, storage, signer, username proof,
 *   profile, addresses
 */
export const planProfile = (person: Person, context: ProfileContext): Step[] => {
  const random = createRandom(context.seed, 'profile', person.fid);
  const steps: Step[] = [];
  let at = person.joined;
  const add = (make: (by: Author, at: number) => ReturnType<Step['make']>, pause = random.between(5, 90)): void => {
    const time = at;
    steps.push({ fid: person.fid, at: time, make: (by) => make(by, time) });
    at += pause;
  };
  const data = (type: UserDataType, value: (by: Author) => string): void =>
    add((by, time) => by.userData(type, value(by), time).item);

  add((by, time) => by.register(time));
  add((by, time) => by.rent(1, time));
  add((by, time) => by.addSigner({ requester: context.requester(person.appFid), at: time }));
  if (random.chance(0.06)) {
    // A second app, whose key is removed before it wrote anything.
    add((by, time) => by.withKey(1).addSigner({ requester: context.requester(2), at: time }));
    add((by, time) => by.withKey(1).removeSigner(time));
  }
  const name = person.username;
  if (name !== undefined) {
    add((by, time) => by.fnameProof(name, time));
    data(UserDataType.USERNAME, () => name);
  }
  if (random.chance(0.1)) data(UserDataType.DISPLAY, () => person.display.toUpperCase().slice(0, 8));
  data(UserDataType.DISPLAY, () => person.display);
  const hasPicture = random.chance(0.97) || APP_FIDS.includes(person.fid);
  if (hasPicture) data(UserDataType.PFP, () => pictureUrl(context.pictures, 'avatar', person.fid));
  const bio = withNames(person.bio, random, context.people);
  if (bio !== '') data(UserDataType.BIO, () => bio);
  const place = person.place;
  if (place !== undefined) {
    data(UserDataType.LOCATION, () => `geo:${place.latitude.toFixed(2)},${place.longitude.toFixed(2)}`);
  }
  planLinks(person, random, data);
  if (!person.isSpam) planAddresses(person, random, add, data);

  const renewal = Math.max(at, context.now - random.between(20, 28) * DAY);
  const later = (make: (by: Author) => ReturnType<Step['make']>, time: number): void => {
    steps.push({ fid: person.fid, at: time, make });
  };
  later((by) => by.rent(context.units, renewal), renewal);
  if (person.isPro) {
    later((by) => by.buyPro(365, renewal + 60), renewal + 60);
    // Hubs accept a banner only from accounts of the pro tier.
    const banner = pictureUrl(context.pictures, 'banner', person.fid);
    later((by) => by.userData(UserDataType.BANNER, banner, renewal + 600).item, renewal + 600);
  }
  return steps;
};

/** Homepage and accounts elsewhere. */
const planLinks = (person: Person, random: Random, data: (type: UserDataType, value: () => string) => void): void => {
  const handle = person.username?.replaceAll('-', '_').slice(0, 15);
  if (handle === undefined) return;
  if (random.chance(0.2)) data(UserDataType.URL, () => `https://${person.username}.example`);
  if (random.chance(0.3)) data(UserDataType.TWITTER, () => handle);
  if (random.chance(0.22)) data(UserDataType.GITHUB, () => handle.replaceAll('_', '-'));
  if (random.chance(0.02)) data(UserDataType.LIVE_AT, () => `https://live.example/${person.username}`);
};

/** Verified addresses, the primary ones among them, and names of the Ethereum name service. */
const planAddresses = (
  person: Person,
  random: Random,
  add: (make: (by: Author, at: number) => ReturnType<Step['make']>) => void,
  data: (type: UserDataType, value: (by: Author) => string) => void,
): void => {
  const own = random.chance(0.12) ? 0 : 1;
  if (random.chance(0.62)) {
    add(async (by, at) => (await by.verifyEthereum(by.wallet(own), at)).item);
    if (random.chance(0.24)) add(async (by, at) => (await by.verifyEthereum(by.wallet(2), at)).item);
    if (random.chance(0.55)) {
      data(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, (by) => by.wallet(own).account.address);
    }
    if (random.chance(0.04)) {
      add(async (by, at) => (await by.verifyEthereum(by.wallet(3), at)).item);
      add((by, at) => by.removeVerification(0, by.wallet(3).address, at).item);
    }
    if (person.username !== undefined && random.chance(0.12)) {
      const name = `${person.username}${random.chance(0.35) ? '.base.eth' : '.eth'}`;
      add(async (by, at) => (await by.ensProof(name, { owner: by.wallet(own), at })).item);
      if (random.chance(0.6)) data(UserDataType.USERNAME, () => name);
    }
  }
  if (random.chance(0.26)) {
    add((by, at) => by.verifySolana(by.solanaKey(0), at).item);
    if (random.chance(0.6)) {
      data(UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, (by) => solanaAddress(by.solanaKey(0).publicKey));
    }
  }
};

const solanaAddress = (key: Uint8Array): string => bytesToBase58(key)._unsafeUnwrap();

/** @returns the bio with usernames in place of `@` */
const withNames = (bio: string, random: Random, people: readonly Person[]): string =>
  bio.replace(/@/g, () => `@${random.pick(people).username ?? 'nobody'}`);
