import { expect } from 'vitest';
import { FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { walk } from './page.js';

const { alice, bob, carol, dan } = FIDS;

const followersOf = ({ users }: { readonly users: readonly { readonly user: { readonly fid: number } }[] }): number[] =>
  users.map(({ user }) => user.fid);

/** Who follows whom. */
export const followCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'fetch-user-followers',
    does: 'lists followers, newest first, page by page',
    call: ({ api }) => api.fetchUserFollowers({ fid: alice }),
    look: async ({ api }) => {
      const asked = { fid: alice, viewerFid: bob, sortType: 'desc_chron' } as const;
      const seen = await walk(
        (cursor) => api.fetchUserFollowers({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        followersOf,
      );
      expect(seen).toEqual([dan, carol, bob]);
      const ranked = await api.fetchUserFollowers({ fid: alice, sortType: 'algorithmic' });
      expect(followersOf(ranked).sort()).toEqual([bob, carol, dan]);
    },
  },
  {
    id: 'fetch-user-following',
    does: 'lists whom a user follows, newest first, page by page',
    call: ({ api }) => api.fetchUserFollowing({ fid: alice }),
    look: async ({ api }) => {
      const asked = { fid: alice, viewerFid: bob, sortType: 'desc_chron' } as const;
      const seen = await walk(
        (cursor) => api.fetchUserFollowing({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        followersOf,
      );
      expect(seen).toEqual([dan, bob]);
    },
  },
  {
    id: 'fetch-user-reciprocal-followers',
    does: 'lists those who follow each other, page by page',
    call: ({ api }) => api.fetchUserReciprocalFollowers({ fid: alice }),
    look: async ({ api }) => {
      const asked = { fid: alice, viewerFid: bob, sortType: 'desc_chron' } as const;
      const seen = await walk(
        (cursor) => api.fetchUserReciprocalFollowers({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        followersOf,
      );
      expect([...seen].sort()).toEqual([bob, dan]);
    },
  },
  {
    id: 'fetch-relevant-followers',
    does: 'shows the followers whom the viewer knows',
    call: ({ api }) => api.fetchRelevantFollowers({ targetFid: alice, viewerFid: alice }),
    look: async ({ api }) => {
      const answer = await api.fetchRelevantFollowers({ targetFid: alice, viewerFid: alice });
      const known = answer.all_relevant_followers_dehydrated.map(({ user }) => user?.fid);
      expect(known.sort()).toEqual([bob, dan]);
    },
  },
  {
    id: 'fetch-follow-suggestions',
    does: 'suggests whom those follow whom a user follows',
    call: ({ api }) => api.fetchFollowSuggestions({ fid: carol }),
    look: async ({ api }) => {
      const { users } = await api.fetchFollowSuggestions({ fid: carol, viewerFid: carol, limit: 1 });
      expect(users).toHaveLength(1);
      const more = await api.fetchFollowSuggestions({ fid: carol, limit: 10 });
      expect(more.users.map(({ fid }) => fid)).toEqual(expect.arrayContaining([bob, dan]));
    },
  },
);
