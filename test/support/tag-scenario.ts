import { UserDataType } from '@farcaster/core';
import type { Signed } from '../../src/sample/signed-message.js';
import type { TagKind } from '../../src/store/tag.js';
import type { EventInput, NetworkEvents } from './network-event.js';
import { PAGE_URL } from './read-query.js';
import { FIDS, type Seeded } from './seed.js';

export interface ScenarioContext {
  readonly events: NetworkEvents;
  readonly seeded: Seeded;
  /** Submits messages. */
  submit(...messages: readonly Parameters<Seeded['send']>[0][]): Promise<unknown>;
}

/** A request, and an event after which a reader that ignores one kind of tags returns an outdated response. */
export interface TagScenario {
  /** Prepares the data that the request needs. */
  before?(parts: ScenarioContext): Promise<unknown>;
  path(parts: ScenarioContext): string;
  event(parts: ScenarioContext): Promise<unknown>;
}

const { alice, bob, carol } = FIDS;
const hex = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;

const sceneOf = ({ alice: who, bob: other, casts }: Seeded): EventInput => ({ who, other, cast: casts.hello, n: 1 });
/** An event by alice about bob by default. */
const happen =
  (kind: keyof NetworkEvents, of: (seeded: Seeded) => Partial<EventInput> = () => ({})) =>
  async ({ events, seeded }: ScenarioContext): Promise<unknown> =>
    events[kind]({ ...sceneOf(seeded), ...of(seeded) });

const castPath = ({ seeded }: ScenarioContext): string => `cast/?type=hash&identifier=${hex(seeded.casts.emoji)}`;

/** Signed with a separate key, whose app changes when it is requested again. */
let signedElsewhere: Signed;
let removed: Signed;
let answered: Signed;
let embedding: Signed;

/** A scenario for each kind of tags that only these tags cover. */
export const TAG_SCENARIOS: Readonly<Record<keyof typeof TagKind, TagScenario>> = {
  feed: {
    before: ({ seeded, submit }) => submit(seeded.alice.follow(bob)),
    path: () => `feed/following/?fid=${alice}`,
    event: ({ seeded, submit }) => submit(seeded.bob.cast({ text: 'New in the feed' })),
  },
  reactions: {
    path: () => `reactions/user/?fid=${FIDS.dan}&type=all`,
    event: ({ seeded, submit }) => submit(seeded.dan.react('like', seeded.casts.deepReply)),
  },
  follows: {
    // Nothing else happens between these two: what alice and carol did may have a later time.
    before: ({ seeded, submit }) => submit(seeded.grace.cast({ text: 'Sowing again' })),
    path: () => `feed/following/?fid=${FIDS.heidi}`,
    event: ({ seeded, submit }) => submit(seeded.heidi.follow(FIDS.grace)),
  },
  followers: {
    path: () => `followers/?fid=${alice}`,
    event: happen('follow', (seeded) => ({ who: seeded.grace, other: seeded.alice })),
  },
  answers: {
    before: ({ seeded, submit }) => {
      answered = seeded.heidi.cast({ text: 'Anybody there?' });
      return submit(answered);
    },
    path: () => `notifications/?fid=${FIDS.heidi}`,
    event: ({ seeded, submit }) => submit(seeded.grace.cast({ text: 'Hello there', parent: answered })),
  },
  relations: {
    before: happen('unmute', (seeded) => ({ who: seeded.carol, other: seeded.grace })),
    path: () => `followers/?fid=${alice}&viewer_fid=${carol}`,
    event: happen('mute', (seeded) => ({ who: seeded.carol, other: seeded.grace })),
  },
  seen: {
    path: () => `notifications/?fid=${alice}`,
    event: happen('see'),
  },
  signers: {
    before: async ({ seeded, submit }) => {
      const key = seeded.bob.withKey(99);
      signedElsewhere = key.cast({ text: 'With another app' });
      await submit(await key.addSigner({ requester: { fid: carol, wallet: seeded.carol.custody } }));
      await submit(signedElsewhere);
    },
    path: () => `cast/?type=hash&identifier=${hex(signedElsewhere)}`,
    event: async ({ seeded, submit }) => {
      const key = seeded.bob.withKey(99);
      await submit(await key.addSigner({ requester: { fid: FIDS.grace, wallet: seeded.grace.custody } }));
    },
  },
  bans: {
    path: () => `followers/?fid=${alice}`,
    event: happen('ban', (seeded) => ({ who: seeded.grace })),
  },
  places: {
    before: happen('unban'),
    path: () => 'user/by_location/?latitude=38.7&longitude=-9.1',
    event: ({ seeded, submit }) => submit(seeded.grace.userData(UserDataType.LOCATION, 'geo:38.71,-9.14')),
  },
  profile: {
    path: () => `user/bulk/?fids=${alice}`,
    event: happen('display'),
  },
  counters: {
    path: () => `user/bulk/?fids=${FIDS.heidi}`,
    event: happen('follow', (seeded) => ({ who: seeded.grace, other: seeded.heidi })),
  },
  cast: {
    before: ({ seeded, submit }) => {
      removed = seeded.grace.cast({ text: 'Not for long' });
      return submit(removed);
    },
    path: () => `cast/?type=hash&identifier=${hex(removed)}`,
    event: ({ seeded, submit }) => submit(seeded.grace.removeCast(removed.hash)),
  },
  castCounts: {
    path: castPath,
    event: happen('like', (seeded) => ({ who: seeded.grace, cast: seeded.casts.emoji })),
  },
  channel: {
    path: () => 'channel/?id=garden',
    event: happen('renameChannel', () => ({})),
  },
  accountChannels: {
    before: happen('unfollowChannel', (seeded) => ({ who: seeded.grace })),
    path: () => `user/channels/?fid=${FIDS.grace}`,
    event: happen('followChannel', (seeded) => ({ who: seeded.grace })),
  },
  channelList: {
    path: () => 'channel/list/',
    event: happen('addChannel', () => ({})),
  },
  urlMetadata: {
    before: ({ seeded, submit }) => {
      embedding = seeded.grace.cast({ text: 'Look', embeds: [PAGE_URL] });
      return submit(embedding);
    },
    path: () => `cast/?type=hash&identifier=${hex(embedding)}`,
    // Later than what any other event found expires.
    event: happen('describeUrl', () => ({ n: 100_000 })),
  },
  topics: {
    path: () => 'topic/trending/',
    // Later than all runs before.
    event: happen('countTopics', () => ({ n: 1_000_000 })),
  },
  name: {
    path: () => 'user/by_username/?username=wonder',
    event: async ({ seeded, submit }) => {
      await submit(await seeded.heidi.fnameProof('wonder'));
      await submit(seeded.heidi.userData(UserDataType.USERNAME, 'wonder'));
    },
  },
};
