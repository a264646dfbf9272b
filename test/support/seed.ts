import { UserDataType } from '@farcaster/core';
import type { IngestItem } from '../../src/ingest/item.js';
import { type Author, author } from '../../src/sample/author.js';
import { type Clock, createClock, sampleTime } from '../../src/sample/clock.js';
import type { Signed } from '../../src/sample/signed-message.js';

/** Decides all keys of the seeded accounts. */
export const SEED = 'flow test';

/** Fid by username. The app's account requests all signer keys, so casts name it as their app. */
export const FIDS = { app: 1, alice: 2, bob: 3, carol: 4, dan: 5, erin: 6, frank: 7, grace: 8, heidi: 9 } as const;

/** Channel that some seeded casts belong to. */
export const CHANNEL_URL = 'https://channel.example/~/channel/garden';

const PROFILES: Record<keyof typeof FIDS, { display: string; bio: string; location?: string }> = {
  app: { display: 'Harbor', bio: 'A client to read and write with.' },
  alice: { display: 'Alice 🌱', bio: 'Gardens with @bob', location: 'geo:38.72,-9.14' },
  bob: { display: 'Bob', bio: 'Builder. Friend of @alice', location: 'geo:52.52,13.41' },
  carol: { display: 'Carol', bio: 'Reads more than she writes' },
  dan: { display: 'Dan 🇯🇵', bio: '写真と旅', location: 'geo:35.68,139.69' },
  erin: { display: 'Erin', bio: 'Radio' },
  frank: { display: 'Frank', bio: '' },
  grace: { display: 'Grace', bio: 'Compilers' },
  heidi: { display: 'Heidi', bio: 'New here' },
};

export type Submit = (items: IngestItem[]) => Promise<unknown>;

export type Seeded = Record<keyof typeof FIDS, Author> & {
  /** Shared by all accounts; moves one second with every message. */
  readonly clock: Clock;
  /** Casts of the seed by name. */
  readonly casts: Record<'hello' | 'channel' | 'reply' | 'deepReply' | 'quote' | 'emoji' | 'removed', Signed>;
  /** Submits messages one at a time, in order. */
  send(...messages: (Signed | IngestItem)[]): Promise<void>;
};

/**
 * Registers the accounts of `FIDS` with names, profiles, signers and storage, and writes a few casts, reactions and
 * follows whose counts a test can say by heart (see the code).
 * @param submit takes the items in order and resolves once they are stored
 * @param start protocol seconds of the first event; a day before the sample network's end when absent
 */
export const seedBasics = async (submit: Submit, start = sampleTime() - 86_400): Promise<Seeded> => {
  const clock = createClock(start);
  const names = Object.keys(FIDS) as (keyof typeof FIDS)[];
  const accounts = Object.fromEntries(
    names.map((name) => [name, author({ seed: SEED, fid: FIDS[name], clock })]),
  ) as Record<keyof typeof FIDS, Author>;
  // One submission is one transaction; what comes later in it may depend on what comes before.
  const introductions: IngestItem[] = [];
  for (const name of names) introductions.push(...(await introduce(name, accounts[name], accounts.app)));

  const { alice, bob, carol, dan, erin } = accounts;
  introductions.push((await alice.verifyEthereum(alice.wallet(1))).item, bob.verifySolana(bob.solanaKey(0)).item);
  await submit(introductions);
  const casts = writeCasts(accounts);
  const removal = alice.removeCast(casts.removed.hash);
  const social = [
    // Three likes and one recast of alice's first cast; bob took one like back, carol's recast stands.
    ...[bob, carol, dan, erin].map((who) => who.react('like', casts.hello)),
    bob.unreact('like', casts.hello),
    carol.react('recast', casts.hello),
    dan.react('like', casts.quote),
    // alice: followed by bob, carol, dan; follows bob and dan. carol no longer follows bob.
    ...[bob, carol, dan].map((who) => who.follow(alice.fid)),
    ...[bob, dan].map((who) => alice.follow(who.fid)),
    carol.follow(bob.fid),
    carol.unfollow(bob.fid),
    erin.link('block', FIDS.frank),
  ];
  await submit([...Object.values(casts), removal, ...social].map((message) => message.item));

  const send = async (...messages: (Signed | IngestItem)[]): Promise<void> => {
    for (const message of messages) await submit(['item' in message ? message.item : message]);
  };
  return { ...accounts, clock, casts, send };
};

/** Registration, storage, signer, username and profile, in the order that a hub asks for. */
const introduce = async (name: keyof typeof FIDS, account: Author, app: Author): Promise<IngestItem[]> => {
  const { display, bio, location } = PROFILES[name];
  const items: IngestItem[] = [
    account.register(),
    account.rent(2),
    await account.addSigner({ requester: { fid: app.fid, wallet: app.custody } }),
    await account.fnameProof(name),
    account.userData(UserDataType.USERNAME, name).item,
    account.userData(UserDataType.DISPLAY, display).item,
    account.userData(UserDataType.PFP, `https://image.example/avatar/${name}.png`).item,
  ];
  if (bio !== '') items.push(account.userData(UserDataType.BIO, bio).item);
  if (location !== undefined) items.push(account.userData(UserDataType.LOCATION, location).item);
  return items;
};

const writeCasts = ({ alice, bob, carol, dan }: Record<keyof typeof FIDS, Author>): Seeded['casts'] => {
  const hello = alice.cast({ text: ['gm ', bob.fid, ', how are the tomatoes?'] });
  const channel = bob.cast({ text: 'Sowing beans today', parent: CHANNEL_URL, embeds: ['https://news.example/beans'] });
  const reply = bob.cast({ text: 'Red and plenty 🍅', parent: hello });
  const deepReply = carol.cast({ text: ['Save some for ', dan.fid], parent: reply });
  const quote = dan.cast({ text: 'This.', embeds: [reply] });
  const emoji = dan.cast({ text: ['👩‍👩‍👧 🇯🇵 ', alice.fid, ' と ', bob.fid, '、おはよう'] });
  const removed = alice.cast({ text: 'I should not have said that' });
  return { hello, channel, reply, deepReply, quote, emoji, removed };
};
