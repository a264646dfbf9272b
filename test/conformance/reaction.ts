import { expect } from 'vitest';
import { FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { hex, walk } from './page.js';

const { alice, bob, carol, dan } = FIDS;
const target = ({ seeded }: Environment): string => hex(seeded.casts.hello.hash);

/** Who liked and recast what. */
export const reactionCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'fetch-cast-reactions',
    does: 'lists who liked and recast a cast, page by page',
    call: ({ api }, environment) => api.fetchCastReactions({ hash: target(environment), types: ['likes'] }),
    look: async ({ api }, environment) => {
      const asked = {
        hash: target(environment),
        types: ['likes', 'recasts'] as ('likes' | 'recasts')[],
        viewerFid: bob,
      };
      const seen = await walk(
        (cursor) => api.fetchCastReactions({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        ({ reactions }) => reactions.map(({ reaction_type, user }) => `${reaction_type} ${user.fid}`),
      );
      expect(seen).toHaveLength(5);
      expect(seen).toEqual(expect.arrayContaining([`like ${dan}`, `like ${carol}`, `recast ${carol}`, `like ${bob}`]));
      const recasts = await api.fetchCastReactions({ hash: target(environment), types: ['recasts'] });
      expect(recasts.reactions.map(({ user }) => user.fid)).toEqual([carol]);
    },
  },
  {
    id: 'fetch-user-reactions',
    does: 'lists what a user liked and recast, page by page',
    call: ({ api }) => api.fetchUserReactions({ fid: alice, type: 'all' }),
    look: async ({ api }, { seeded }) => {
      const asked = { fid: alice, type: 'all', viewerFid: bob } as const;
      const seen = await walk(
        (cursor) => api.fetchUserReactions({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        ({ reactions }) => reactions.map(({ reaction_type, cast }) => `${reaction_type} ${cast.hash}`),
      );
      const { quote, reply, deepReply } = seeded.casts;
      expect(seen).toEqual([`like ${hex(deepReply.hash)}`, `recast ${hex(reply.hash)}`, `like ${hex(quote.hash)}`]);
    },
  },
);
