import { Message } from '@farcaster/core';
import { expect } from 'vitest';
import { CHANNEL_URL } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import { hex } from './page.js';
import {
  ALICE,
  BOB,
  castOf,
  ERIN,
  GRACE,
  HEIDI,
  NO_SIGNER,
  untilClockSkewLimit,
  type WriteEnvironment,
} from './write-environment.js';

/** One of its forms; the client's type asks for all of them at once. */
const embed = (form: object): never => form as never;
/** What nobody else here says anything about. */
const otherCastOf = ({ seeded }: WriteEnvironment): string => hex(seeded.casts.channel.hash);

/** What users sign: casts, reactions, follows, blocks. */
export const publishCases: readonly Case<WriteEnvironment>[] = casesOf<WriteEnvironment>()(
  {
    id: 'publish-cast',
    does: 'writes casts that are read in the next request: answers, embeds, channels, and once for an idem',
    call: ({ api }, { signers }) => api.publishCast({ signerUuid: signers.alice, text: 'Hello' }),
    look: async ({ api }, environment) => {
      const body = {
        signerUuid: environment.signers.bob,
        text: 'They are red, @alice',
        embeds: [
          embed({ url: 'https://garden.example/red.png' }),
          embed({ cast_id: { fid: ALICE, hash: castOf(environment) } }),
        ],
        parent: castOf(environment),
        parentAuthorFid: ALICE,
        idem: 'red tomatoes',
      };
      const first = await api.publishCast(body);
      const again = await api.publishCast(body);
      expect(again.cast.hash).toBe(first.cast.hash);
      const { cast } = await api.lookupCastByHashOrUrl({ identifier: first.cast.hash, type: 'hash' });
      expect(cast).toMatchObject({
        author: { fid: BOB },
        text: body.text,
        parent_hash: body.parent,
        mentioned_profiles: [{ fid: ALICE }],
        embeds: [{ url: 'https://garden.example/red.png' }, { cast: { hash: castOf(environment) } }],
      });
      const inChannel = await api.publishCast({
        signerUuid: environment.signers.bob,
        text: 'Beans',
        channelId: 'garden',
      });
      const feed = await api.fetchFeedByChannelIds({ channelIds: ['garden'], limit: 1 });
      expect(feed.casts[0]).toMatchObject({ hash: inChannel.cast.hash, parent_url: CHANNEL_URL });
    },
    errors: {
      404: ({ api }) => api.publishCast({ signerUuid: NO_SIGNER, text: 'Hello' }),
      409: async ({ api }, { signers }) => {
        await api.publishCast({ signerUuid: signers.alice, text: 'One thing', idem: 'said twice' });
        return api.publishCast({ signerUuid: signers.alice, text: 'Another', idem: 'said twice' });
      },
    },
    late: ({ api }, { signers }) => api.publishCast({ signerUuid: signers.alice, text: 'Anybody there?' }),
  },
  {
    id: 'delete-cast',
    does: 'takes a cast away from every list',
    call: async ({ api }, { signers, seeded }) =>
      api.deleteCast({ signerUuid: signers.alice, targetHash: hex(seeded.casts.removed.hash) }),
    look: async ({ api }, { signers }) => {
      const { cast } = await api.publishCast({ signerUuid: signers.alice, text: 'Not for long' });
      expect(await api.deleteCast({ signerUuid: signers.alice, targetHash: cast.hash })).toEqual({ success: true });
      const { result } = await api.fetchBulkCasts({ casts: [cast.hash] });
      expect(result.casts).toEqual([]);
    },
    errors: {
      403: ({ api }, environment) =>
        api.deleteCast({ signerUuid: environment.signers.bob, targetHash: castOf(environment) }),
      404: ({ api }, { signers }) => api.deleteCast({ signerUuid: signers.alice, targetHash: `0x${'9'.repeat(40)}` }),
    },
    late: ({ api }, environment) =>
      api.deleteCast({ signerUuid: environment.signers.alice, targetHash: castOf(environment) }),
  },
  {
    id: 'publish-reaction',
    does: 'likes and recasts what is read as liked at once',
    call: ({ api }, environment) =>
      api.publishReaction({ signerUuid: environment.signers.bob, reactionType: 'like', target: castOf(environment) }),
    look: async ({ api }, environment) => {
      const asked = {
        signerUuid: environment.signers.bob,
        target: castOf(environment),
        targetAuthorFid: ALICE,
        idem: 'recast once',
      };
      await api.publishReaction({ ...asked, reactionType: 'recast' });
      const { cast } = await api.lookupCastByHashOrUrl({
        identifier: castOf(environment),
        type: 'hash',
        viewerFid: BOB,
      });
      expect(cast.viewer_context).toMatchObject({ liked: true, recasted: true });
    },
    errors: {
      404: ({ api }, environment) =>
        api.publishReaction({ signerUuid: NO_SIGNER, reactionType: 'like', target: castOf(environment) }),
      409: ({ api }, environment) => {
        const like = {
          signerUuid: environment.signers.alice,
          reactionType: 'like' as const,
          target: otherCastOf(environment),
        };
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.alice.unreact('like', environment.seeded.casts.channel, at),
          () => api.publishReaction(like),
          () => api.deleteReaction(like),
        );
      },
    },
    late: ({ api }, environment) =>
      api.publishReaction({ signerUuid: environment.signers.dan, reactionType: 'recast', target: castOf(environment) }),
  },
  {
    id: 'delete-reaction',
    does: 'takes a reaction back',
    call: ({ api }, environment) =>
      api.deleteReaction({ signerUuid: environment.signers.bob, reactionType: 'recast', target: castOf(environment) }),
    look: async ({ api }, environment) => {
      const asked = {
        signerUuid: environment.signers.bob,
        target: castOf(environment),
        targetAuthorFid: ALICE,
        idem: 'not at all',
      };
      await api.deleteReaction({ ...asked, reactionType: 'like' });
      const { cast } = await api.lookupCastByHashOrUrl({
        identifier: castOf(environment),
        type: 'hash',
        viewerFid: BOB,
      });
      expect(cast.viewer_context).toMatchObject({ liked: false, recasted: false });
    },
    errors: {
      404: ({ api }, environment) =>
        api.deleteReaction({ signerUuid: NO_SIGNER, reactionType: 'like', target: castOf(environment) }),
      409: ({ api }, environment) => {
        const like = {
          signerUuid: environment.signers.alice,
          reactionType: 'recast' as const,
          target: otherCastOf(environment),
        };
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.alice.react('recast', environment.seeded.casts.channel, at),
          () => api.deleteReaction(like),
          () => api.publishReaction(like),
        );
      },
    },
    late: ({ api }, environment) =>
      api.deleteReaction({
        signerUuid: environment.signers.carol,
        reactionType: 'recast',
        target: castOf(environment),
      }),
  },
  {
    id: 'follow-user',
    does: 'follows several at once',
    call: ({ api }, { signers }) => api.followUser({ signerUuid: signers.bob, targetFids: [GRACE] }),
    look: async ({ api }, { signers }) => {
      const answer = await api.followUser({ signerUuid: signers.bob, targetFids: [GRACE, HEIDI] });
      expect(answer.details.map(({ success, target_fid }) => [success, target_fid])).toEqual([
        [true, GRACE],
        [true, HEIDI],
      ]);
      const { users } = await api.fetchUserFollowing({ fid: BOB });
      expect(users.map(({ user }) => user.fid)).toEqual(expect.arrayContaining([GRACE, HEIDI]));
    },
    errors: {
      404: ({ api }) => api.followUser({ signerUuid: NO_SIGNER, targetFids: [GRACE] }),
      409: ({ api }, environment) => {
        const follow = { signerUuid: environment.signers.alice, targetFids: [ERIN] };
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.alice.unfollow(ERIN, at),
          () => api.followUser(follow),
          () => api.unfollowUser(follow),
        );
      },
    },
    late: ({ api }, { signers }) => api.followUser({ signerUuid: signers.bob, targetFids: [GRACE] }),
  },
  {
    id: 'unfollow-user',
    does: 'follows no more',
    call: ({ api }, { signers }) => api.unfollowUser({ signerUuid: signers.bob, targetFids: [GRACE] }),
    look: async ({ api }, { signers }) => {
      await api.unfollowUser({ signerUuid: signers.bob, targetFids: [GRACE, HEIDI] });
      const { users } = await api.fetchUserFollowing({ fid: BOB });
      expect(users.map(({ user }) => user.fid)).toEqual([ALICE]);
    },
    errors: {
      404: ({ api }) => api.unfollowUser({ signerUuid: NO_SIGNER, targetFids: [GRACE] }),
      409: ({ api }, environment) => {
        const follow = { signerUuid: environment.signers.alice, targetFids: [GRACE] };
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.alice.follow(GRACE, at),
          () => api.unfollowUser(follow),
          () => api.followUser(follow),
        );
      },
    },
    late: ({ api }, { signers }) => api.unfollowUser({ signerUuid: signers.bob, targetFids: [ALICE] }),
  },
  {
    id: 'publish-block',
    does: 'blocks an account',
    call: ({ api }, { signers }) => api.publishBlock({ signerUuid: signers.bob, blockedFid: HEIDI }),
    look: async ({ api }, { signers }) => {
      expect(await api.publishBlock({ signerUuid: signers.bob, blockedFid: HEIDI })).toEqual({ success: true });
      const { blocks } = await api.fetchBlockList({ blockerFid: BOB });
      expect(blocks.map(({ blocked }) => blocked?.fid)).toEqual([HEIDI]);
    },
    errors: {
      404: ({ api }) => api.publishBlock({ signerUuid: NO_SIGNER, blockedFid: HEIDI }),
      409: ({ api }, environment) => {
        const block = { signerUuid: environment.signers.dan, blockedFid: HEIDI };
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.dan.unlink('block', HEIDI, at),
          () => api.publishBlock(block),
          () => api.deleteBlock(block),
        );
      },
    },
    late: ({ api }, { signers }) => api.publishBlock({ signerUuid: signers.bob, blockedFid: HEIDI }),
  },
  {
    id: 'delete-block',
    does: 'ends a block',
    call: ({ api }, { signers }) => api.deleteBlock({ signerUuid: signers.bob, blockedFid: HEIDI }),
    look: async ({ api }, { signers }) => {
      await api.deleteBlock({ signerUuid: signers.bob, blockedFid: HEIDI });
      expect((await api.fetchBlockList({ blockerFid: BOB })).blocks).toEqual([]);
    },
    errors: {
      404: ({ api }) => api.deleteBlock({ signerUuid: NO_SIGNER, blockedFid: HEIDI }),
      409: ({ api }, environment) => {
        const block = { signerUuid: environment.signers.dan, blockedFid: GRACE };
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.dan.link('block', GRACE, at),
          () => api.deleteBlock(block),
          () => api.publishBlock(block),
        );
      },
    },
    late: ({ api }, { signers }) => api.deleteBlock({ signerUuid: signers.carol, blockedFid: ERIN }),
  },
  {
    id: 'publish-message-to-social',
    does: 'takes a message that was signed elsewhere',
    call: ({ api }, { seeded }) =>
      api.publishMessageToFarcaster({ body: Message.toJSON(Message.decode(seeded.casts.hello.wire)) as object }),
    look: async ({ api }, { seeded }) => {
      const message = seeded.grace.cast({ text: 'By my own key' });
      const body = Message.toJSON(Message.decode(message.wire)) as object;
      const answer = await api.publishMessageToFarcaster({ body });
      expect(answer).toMatchObject({ hash: hex(message.hash), data: { network: 'FARCASTER_NETWORK_DEVNET' } });
      const { cast } = await api.lookupCastByHashOrUrl({ identifier: hex(message.hash), type: 'hash' });
      expect(cast.text).toBe('By my own key');
    },
    late: ({ api }, { seeded }) =>
      api.publishMessageToFarcaster({
        body: Message.toJSON(Message.decode(seeded.grace.cast({ text: 'Hm' }).wire)) as object,
      }),
  },
);
