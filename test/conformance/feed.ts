import { expect } from 'vitest';
import { CHANNEL_URL, FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { hex, walk } from './page.js';

const { alice, bob, carol } = FIDS;

interface Listed {
  readonly hash: string;
  readonly author: { readonly fid: number };
  readonly parent_url?: string | null;
}
const hashesOf = ({ casts }: { readonly casts: readonly Listed[] }): string[] => casts.map(({ hash }) => hash);
const authorsOf = ({ casts }: { readonly casts: readonly Listed[] }): number[] => [
  ...new Set(casts.map(({ author }) => author.fid)),
];

/** Walks a feed by pages of one cast, which must show what one long page does. @returns the hashes */
const walkFeed = async (
  ask: (page: { limit: number; cursor?: string }) => Promise<{ readonly casts: readonly Listed[] }>,
): Promise<string[]> => {
  const all = hashesOf(await ask({ limit: 25 }));
  expect(all.length, 'a feed with more than one page').toBeGreaterThan(1);
  expect(await walk((cursor) => ask({ limit: 1, ...(cursor && { cursor }) }), hashesOf)).toEqual(all);
  return all;
};

const REPLIES = 'The public client has no parameter for it; test/feed.test.ts sends it.';

/** Lists of casts. */
export const feedCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'fetch-feed',
    does: 'lists casts of those followed, of accounts, of a channel, of a parent, and with embeds',
    unsent: { 'query with_replies': REPLIES },
    call: ({ api }) => api.fetchFeed({ feedType: 'following', fid: carol }),
    look: async ({ api }) => {
      const followed = { feedType: 'following', fid: carol, withRecasts: true, viewerFid: carol } as const;
      await walkFeed((page) => api.fetchFeed({ ...followed, ...page }));
      const of = (filter: Omit<Parameters<typeof api.fetchFeed>[0], 'feedType'>) =>
        api.fetchFeed({ feedType: 'filter', ...filter });
      expect(authorsOf(await of({ filterType: 'fids', fids: [bob, alice] })).sort()).toEqual([alice, bob]);
      const inChannel = await of({ filterType: 'channel_id', channelId: 'garden', membersOnly: false });
      expect(inChannel.casts.map(({ channel }) => channel?.id)).toEqual(inChannel.casts.map(() => 'garden'));
      const underUrl = await of({ filterType: 'parent_url', parentUrl: CHANNEL_URL });
      expect(hashesOf(underUrl).sort()).toEqual(hashesOf(inChannel).sort());
      const showing = await of({ filterType: 'embed_url', embedUrl: 'https://news.example/beans' });
      expect(authorsOf(showing).sort()).toEqual([alice, bob]);
      const pictures = await of({ filterType: 'embed_types', embedTypes: ['image', 'video'] });
      expect(pictures.casts).toHaveLength(1);
    },
  },
  {
    id: 'fetch-feed-by-channel-ids',
    does: 'lists the casts of channels, page by page',
    call: ({ api }) => api.fetchFeedByChannelIds({ channelIds: ['garden'] }),
    look: async ({ api }, { seeded }) => {
      const asked = { channelIds: ['garden'], viewerFid: carol, withRecasts: true, membersOnly: false };
      await walkFeed((page) => api.fetchFeedByChannelIds({ ...asked, withReplies: true, ...page }));
      const some = await api.fetchFeedByChannelIds({ ...asked, fids: [bob], shouldModerate: false });
      expect(hashesOf(some)).toEqual([hex(seeded.casts.channel.hash)]);
    },
  },
  {
    id: 'fetch-feed-by-parent-urls',
    does: 'lists the casts below URLs, page by page',
    call: ({ api }) => api.fetchFeedByParentUrls({ parentUrls: [CHANNEL_URL] }),
    look: async ({ api }) => {
      const asked = { parentUrls: [CHANNEL_URL], viewerFid: carol, withRecasts: true, withReplies: false };
      await walkFeed((page) => api.fetchFeedByParentUrls({ ...asked, ...page }));
      const { casts } = await api.fetchFeedByParentUrls(asked);
      expect(casts.map((cast) => cast.parent_url)).toEqual(casts.map(() => CHANNEL_URL));
    },
  },
  {
    id: 'fetch-user-following-feed',
    does: 'lists the casts of those whom a user follows, page by page',
    unsent: { 'query with_replies': REPLIES },
    call: ({ api }) => api.fetchUserFollowingFeed({ fid: carol }),
    look: async ({ api }) => {
      const asked = { fid: carol, viewerFid: bob, withRecasts: false };
      await walkFeed((page) => api.fetchUserFollowingFeed({ ...asked, ...page }));
      expect(authorsOf(await api.fetchUserFollowingFeed(asked))).toEqual([alice]);
    },
  },
  {
    id: 'fetch-casts-for-user',
    does: 'lists what a user wrote: all, in a channel, below a URL, with an app, page by page',
    call: ({ api }) => api.fetchCastsForUser({ fid: alice }),
    look: async ({ api }, { seeded }) => {
      const asked = { fid: alice, viewerFid: bob, includeReplies: true, appFid: FIDS.app };
      const all = await walkFeed((page) => api.fetchCastsForUser({ ...asked, ...page }));
      expect(all).toContain(hex(seeded.casts.hello.hash));
      expect(all).not.toContain(hex(seeded.casts.removed.hash));
      const inChannel = await api.fetchCastsForUser({ fid: alice, channelId: 'garden' });
      const underUrl = await api.fetchCastsForUser({ fid: alice, parentUrl: CHANNEL_URL });
      expect(inChannel.casts.map(({ channel }) => channel?.id)).toEqual(['garden', 'garden']);
      expect(hashesOf(inChannel)).toEqual(expect.arrayContaining(hashesOf(underUrl)));
      expect(underUrl.casts.length).toBeGreaterThan(0);
    },
  },
  {
    id: 'fetch-popular-casts-by-user',
    does: 'lists the casts of a user that others liked most',
    call: ({ api }) => api.fetchPopularCastsByUser({ fid: alice }),
    look: async ({ api }, { seeded }) => {
      const popular = await api.fetchPopularCastsByUser({ fid: alice, viewerFid: bob });
      expect(hashesOf(popular)[0]).toBe(hex(seeded.casts.hello.hash));
      expect(authorsOf(popular)).toEqual([alice]);
    },
  },
  {
    id: 'fetch-replies-and-recasts-for-user',
    does: 'lists what a user answered and recast, page by page',
    call: ({ api }) => api.fetchRepliesAndRecastsForUser({ fid: alice }),
    look: async ({ api }, { seeded }) => {
      const asked = { fid: alice, viewerFid: bob };
      const all = await walkFeed((page) => api.fetchRepliesAndRecastsForUser({ ...asked, filter: 'all', ...page }));
      const recasts = await api.fetchRepliesAndRecastsForUser({ ...asked, filter: 'recasts' });
      expect(hashesOf(recasts)).toEqual([hex(seeded.casts.reply.hash)]);
      const replies = await api.fetchRepliesAndRecastsForUser({ ...asked, filter: 'replies' });
      expect([...hashesOf(recasts), ...hashesOf(replies)].sort()).toEqual([...all].sort());
    },
  },
);
