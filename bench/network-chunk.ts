import { UserDataType } from '@farcaster/core';
import type { IngestItem } from '../src/ingest/item.js';
import { type Author, author, type CastRef } from '../src/sample/author.js';
import { writeText } from '../src/sample/cast-writer.js';
import { SAMPLE_CHANNELS } from '../src/sample/channel.js';
import { DAY } from '../src/sample/clock.js';
import { ANSWERS } from '../src/sample/conversation/answer.js';
import { CHANNEL_OPENINGS, HOME_OPENINGS } from '../src/sample/conversation/conversation.js';
import { createRandom, type Random } from '../src/sample/random.js';
import type { Person } from '../src/sample/sample-user.js';
import type { CastReader } from './network-cast-table.js';
import { type Chunk, castOfRank, type NetworkPlan, PERIOD } from './network-plan.js';

const QUOTE_SHARE = 0.06;
const VERIFIED_SHARE = 0.1;
const BIO_SHARE = 0.5;
/** Share of the people with a place whose profile has a location, so that 30% of all accounts have one. */
const LOCATION_SHARE = 0.58;

const authors = new Map<number, Author>();

/** Signs one chunk, whose content depends only on the plan and the chunk, not on the thread. */
export const signChunk = async (plan: NetworkPlan, casts: CastReader, chunk: Chunk): Promise<IngestItem[]> => {
  const { phase, from, to } = chunk;
  const random = createRandom(plan.seed, phase, from);
  const items: IngestItem[] = [];
  for (let index = from; index < to; index++) {
    if (phase === 'account') items.push(...(await register(plan, index)));
    else if (phase === 'name') items.push(await proveName(plan, index));
    else if (phase === 'profile') items.push(...(await profile(plan, random, index)));
    else if (phase === 'link') items.push(...follow(plan, random, index));
    else if (phase === 'reaction') items.push(...react(plan, casts, random, index));
    else items.push(cast(plan, casts, random, chunk, index));
  }
  return items;
};

const authorOf = (plan: NetworkPlan, fid: number): Author => {
  const known = authors.get(fid);
  if (known !== undefined) return known;
  const made = author({ seed: plan.seed, fid });
  authors.set(fid, made);
  return made;
};

const sampleUserOf = (plan: NetworkPlan, fid: number): Person => plan.people[fid - 1] as Person;
const nameOf = (person: Person): string => person.username ?? `fid-${person.fid}`;

const register = async (plan: NetworkPlan, fid: number): Promise<IngestItem[]> => {
  const by = authorOf(plan, fid);
  const { joined, appFid } = sampleUserOf(plan, fid);
  const requester = { fid: appFid, wallet: authorOf(plan, appFid).custody };
  const signer = await by.addSigner({ requester, at: joined + 60 });
  // Storage is more than enough, because pruning is not measured.
  return [by.register(joined), signer, by.rent(1000, plan.now - 30 * DAY)];
};

const proveName = (plan: NetworkPlan, fid: number): Promise<IngestItem> => {
  const person = sampleUserOf(plan, fid);
  return authorOf(plan, fid).fnameProof(nameOf(person), person.joined + 120);
};

const profile = async (plan: NetworkPlan, random: Random, fid: number): Promise<IngestItem[]> => {
  const by = authorOf(plan, fid);
  const person = sampleUserOf(plan, fid);
  const at = person.joined + 200;
  const items = [
    by.userData(UserDataType.USERNAME, nameOf(person), at),
    by.userData(UserDataType.DISPLAY, person.display, at + 10),
    by.userData(UserDataType.PFP, `https://image.castellan.example/avatar/${fid}.png`, at + 20),
  ];
  if (random.chance(BIO_SHARE))
    items.push(by.userData(UserDataType.BIO, person.bio.replace('@', `@${nameOf(random.pick(plan.people))}`), at + 30));
  if (person.place !== undefined && random.chance(LOCATION_SHARE)) {
    const { latitude, longitude } = person.place;
    items.push(by.userData(UserDataType.LOCATION, `geo:${latitude.toFixed(2)},${longitude.toFixed(2)}`, at + 40));
  }
  if (random.chance(VERIFIED_SHARE)) items.push(await by.verifyEthereum(by.wallet(1), at + 50));
  return items.map((message) => message.item);
};

const cast = (plan: NetworkPlan, casts: CastReader, random: Random, chunk: Chunk, number: number): IngestItem => {
  const person = plan.people[plan.sampleActor(random)] as Person;
  const by = authorOf(plan, person.fid);
  const roots = plan.rounds[1];
  if (chunk.phase === 'cast') {
    const channel = random.chance(0.5) ? random.pick(person.channels) : -1;
    const openings = CHANNEL_OPENINGS.get(SAMPLE_CHANNELS[channel]?.id ?? '') ?? HOME_OPENINGS;
    const line = random.pick(openings);
    const { text, urls } = writeText(random, { kind: 'root', author: person, people: plan.people, line, channel });
    const at = plan.now - PERIOD + Math.floor((number / roots) * (PERIOD - 5 * DAY));
    const parent = SAMPLE_CHANNELS[channel]?.parentUrl;
    const made = by.cast({ text, embeds: urls, at, ...(parent === undefined ? {} : { parent }) });
    casts.write(number, made);
    return made.item;
  }
  const earlier = chunk.phase === 'reply' ? roots : plan.rounds[2];
  const target = casts.read(castOfRank(Math.floor(random.next() ** 2.5 * earlier), earlier));
  const kind = random.chance(QUOTE_SHARE) ? 'quote' : 'reply';
  const line = { text: random.pick(ANSWERS) };
  const { text, urls } = writeText(random, { kind, author: person, people: plan.people, line, channel: -1 });
  const at = target.at + random.between(30, DAY);
  const made =
    kind === 'quote'
      ? by.cast({ text, embeds: [target, ...urls], at })
      : by.cast({ text, embeds: urls, parent: target, at });
  casts.write(number, made);
  return made.item;
};

const follow = (plan: NetworkPlan, random: Random, fid: number): IngestItem[] => {
  const by = authorOf(plan, fid);
  const { people, now } = plan;
  const targets = distinct(plan.follows[fid - 1] as number, people.length, () => plan.sampleIdol(random), fid - 1);
  return targets.map((index) => by.follow(index + 1, now - random.integer(25 * DAY)).item);
};

const react = (plan: NetworkPlan, casts: CastReader, random: Random, rank: number): IngestItem[] => {
  const count = plan.likes[rank] as number;
  if (count === 0) return [];
  const target: CastRef & { at: number } = casts.read(castOfRank(rank, plan.size.casts));
  const crowd = distinct(count, plan.people.length, () => plan.sampleActor(random), target.fid - 1);
  return crowd.map((index) => {
    const at = Math.min(plan.now, target.at + random.between(10, 2 * DAY));
    return authorOf(plan, index + 1).react(random.chance(0.8) ? 'like' : 'recast', target, at).item;
  });
};

/** @returns `count` different indexes below `size`, never `except`; a repeated draw takes the next free index */
const distinct = (count: number, size: number, draw: () => number, except: number): number[] => {
  const taken = new Set<number>([except]);
  while (taken.size <= count) {
    let index = draw();
    for (let attempt = 0; taken.has(index) && attempt < 8; attempt++) index = draw();
    while (taken.has(index)) index = (index + 1) % size;
    taken.add(index);
  }
  taken.delete(except);
  return [...taken];
};
