import { SAMPLE_CHANNELS } from './channel.js';
import { createRandom } from './random.js';
import type { Person } from './sample-user.js';

const DAY = 86_400;
const MODERATORS = 2;
/** Share of those who write in a channel that are its members. */
const MEMBER_SHARE = 0.35;
/** Share of all others that follow a channel all the same. */
const CURIOUS_SHARE = 0.08;
const INVITES = 3;

/**
 * What the examples of the reference need (`bodyExample` of operations): account 1 moderates `dev`, which account 2 follows
 * without being a member, and is invited to `food`.
 */
const EXAMPLE = { moderated: 'dev', moderator: 1, guest: 2, inviting: 'food' } as const;

/** Times are protocol seconds. */
export interface SampleCommunity {
  readonly channelId: string;
  readonly follows: readonly { readonly fid: number; readonly at: number }[];
  readonly members: readonly { readonly fid: number; readonly role: 'moderator' | 'member'; readonly at: number }[];
  readonly invites: readonly {
    readonly fid: number;
    readonly inviterFid: number;
    readonly role: 'moderator' | 'member';
    readonly at: number;
  }[];
}

/**
 * Plans who follows, joins and moderates the channels of the sample network: those who write in a channel follow it, some
 * are members, two of these moderate it, and a few followers are invited.
 * @param now protocol seconds of the newest message
 */
export const planCommunities = (seed: string, people: readonly Person[], now: number): SampleCommunity[] => {
  const genuine = people.filter(({ isSpam }) => !isSpam);
  return SAMPLE_CHANNELS.map((channel, index) => {
    const random = createRandom(seed, 'community', channel.id);
    const span = Math.max(DAY, now - channel.createdAt);
    const someTime = (): number => now - Math.floor(random.next() ** 2 * span);
    const authors = genuine.filter(({ fid, channels }) => fid !== channel.leadFid && channels.includes(index));
    const followers = [
      ...authors,
      ...genuine.filter((one) => !authors.includes(one) && one.fid !== channel.leadFid && random.chance(CURIOUS_SHARE)),
    ];
    const isExample = (fid: number): boolean => fid === EXAMPLE.moderator || fid === EXAMPLE.guest;
    const joined = authors.filter(({ fid }) => random.chance(MEMBER_SHARE) && !isExample(fid));
    const follows = followers.map(({ fid }) => ({ fid, at: someTime() }));
    const members = joined.map(({ fid }, place) => ({
      fid,
      role: place < MODERATORS ? ('moderator' as const) : ('member' as const),
      at: someTime(),
    }));
    const outside = followers.filter((one) => !joined.includes(one));
    const guests = random.sample(outside, INVITES).filter(({ fid }) => !isExample(fid));
    const invites = guests.map(({ fid }) => ({
      fid,
      inviterFid: channel.leadFid,
      role: 'member' as const,
      at: now - random.between(1, 10 * DAY),
    }));
    const { moderated, moderator, guest, inviting } = EXAMPLE;
    if (channel.id === moderated) {
      members.unshift({ fid: moderator, role: 'moderator', at: channel.createdAt + DAY });
      for (const fid of [moderator, guest]) {
        if (!follows.some((follow) => follow.fid === fid)) follows.push({ fid, at: now - DAY });
      }
    }
    if (channel.id === inviting) {
      invites.push({ fid: moderator, inviterFid: channel.leadFid, role: 'member', at: now - DAY });
    }
    return {
      channelId: channel.id,
      follows: [{ fid: channel.leadFid, at: channel.createdAt }, ...follows],
      members,
      invites,
    };
  });
};
