import { expect } from 'vitest';
import { CHANNEL_URL, FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { hex, walk } from './page.js';

const { alice, bob, carol, dan } = FIDS;
const UNKNOWN_ADDRESS = `0x${'9'.repeat(40)}`;

const hashesOf = ({ casts }: { readonly casts: readonly { readonly hash: string }[] }): string[] =>
  casts.map(({ hash }) => hash);
/** Of a seeded cast. */
const hashOf = ({ seeded }: Environment, name: keyof Environment['seeded']['casts']): string =>
  hex(seeded.casts[name].hash);

/** Casts that are read. */
export const castCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'lookup-cast-by-hash-or-url',
    does: 'reads one cast as a viewer sees it',
    call: ({ api }, environment) =>
      api.lookupCastByHashOrUrl({ identifier: hashOf(environment, 'hello'), type: 'hash' }),
    look: async ({ api }, environment) => {
      const { cast } = await api.lookupCastByHashOrUrl({
        identifier: hashOf(environment, 'hello'),
        type: 'hash',
        viewerFid: carol,
      });
      expect(cast).toMatchObject({
        author: { fid: alice },
        text: 'gm @bob, how are the tomatoes?',
        reactions: { likes_count: 4, recasts_count: 1 },
        viewer_context: { liked: true, recasted: true },
      });
      const url = `https://farcaster.xyz/alice/${hashOf(environment, 'hello').slice(0, 10)}`;
      const byUrl = await api.lookupCastByHashOrUrl({ identifier: url, type: 'url' });
      expect(byUrl.cast.hash).toBe(cast.hash);
    },
  },
  {
    id: 'fetch-bulk-casts',
    does: 'reads casts, sorted as asked',
    call: ({ api }, environment) => api.fetchBulkCasts({ casts: [hashOf(environment, 'hello')] }),
    look: async ({ api }, environment) => {
      const casts = [hashOf(environment, 'quote'), hashOf(environment, 'hello')];
      const { result } = await api.fetchBulkCasts({ casts, viewerFid: dan, sortType: 'likes' });
      expect(hashesOf(result)).toEqual([casts[1], casts[0]]);
      expect(result.casts[0]?.viewer_context).toMatchObject({ liked: true, recasted: false });
    },
  },
  {
    id: 'lookup-cast-conversation',
    does: 'shows what a cast answers and what answers it, page by page',
    call: ({ api }, environment) =>
      api.lookupCastConversation({ identifier: hashOf(environment, 'hello'), type: 'hash' }),
    look: async ({ api }, environment) => {
      const asked = { identifier: hashOf(environment, 'hello'), type: 'hash', viewerFid: bob, replyDepth: 2 } as const;
      const { conversation } = await api.lookupCastConversation({ ...asked, sortType: 'chron' });
      expect(conversation.cast.direct_replies[0]).toMatchObject({
        hash: hashOf(environment, 'reply'),
        direct_replies: [{ hash: hashOf(environment, 'deepReply') }],
      });
      const seen = await walk(
        (cursor) => api.lookupCastConversation({ ...asked, sortType: 'chron', limit: 1, ...(cursor && { cursor }) }),
        (page) => hashesOf({ casts: page.conversation.cast.direct_replies }),
      );
      const all = await api.lookupCastConversation({ ...asked, sortType: 'chron', limit: 50 });
      expect(seen).toEqual(hashesOf({ casts: all.conversation.cast.direct_replies }));
      expect(seen.length).toBeGreaterThan(1);
      const shown = [];
      for (const fold of ['above', 'below'] as const) {
        const part = await api.lookupCastConversation({ ...asked, fold, sortType: 'chron', limit: 50 });
        shown.push(...hashesOf({ casts: part.conversation.cast.direct_replies }));
      }
      expect(shown.sort(), 'each reply on one side of the fold').toEqual([...seen].sort());
      const below = await api.lookupCastConversation({
        identifier: hashOf(environment, 'deepReply'),
        type: 'hash',
        includeChronologicalParentCasts: true,
      });
      const parents = below.conversation.chronological_parent_casts ?? [];
      expect(parents.map((cast) => cast.hash)).toEqual([hashOf(environment, 'hello'), hashOf(environment, 'reply')]);
    },
  },
  {
    id: 'fetch-cast-quotes',
    does: 'lists the casts that quote one, page by page',
    call: ({ api }, environment) => api.fetchCastQuotes({ identifier: hashOf(environment, 'reply'), type: 'hash' }),
    look: async ({ api }, environment) => {
      const asked = { identifier: hashOf(environment, 'reply'), type: 'hash', viewerFid: alice } as const;
      const all = hashesOf(await api.fetchCastQuotes({ ...asked, limit: 25 }));
      expect(all).toHaveLength(3);
      expect(all).toContain(hashOf(environment, 'quote'));
      const seen = await walk(
        (cursor) => api.fetchCastQuotes({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        hashesOf,
      );
      expect(seen).toEqual(all);
    },
    errors: { 404: ({ api }) => api.fetchCastQuotes({ identifier: UNKNOWN_ADDRESS, type: 'hash' }) },
  },
  {
    id: 'search-casts',
    does: 'finds casts by words, within an author, a channel and a parent, page by page',
    call: ({ api }) => api.searchCasts({ q: 'tomatoes' }),
    look: async ({ api }, environment) => {
      const asked = { q: 'tomatoes', mode: 'literal', sortType: 'chron', viewerFid: bob } as const;
      const all = hashesOf((await api.searchCasts({ ...asked, limit: 100 })).result);
      expect(all[0]).toBe(hashOf(environment, 'hello'));
      const seen = await walk(
        (cursor) => api.searchCasts({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        ({ result }) => hashesOf(result),
      );
      expect(seen).toEqual(all);
      expect(seen.length).toBeGreaterThan(2);
      const hers = await api.searchCasts({ q: 'beans', authorFid: alice, channelId: 'garden' });
      expect(hers.result.casts.map(({ author }) => author.fid)).toEqual([alice]);
      const under = await api.searchCasts({ q: 'Sowing', parentUrl: CHANNEL_URL });
      expect(hashesOf(under.result)).toEqual([hashOf(environment, 'channel')]);
    },
  },
  {
    id: 'fetch-cast-metrics',
    does: 'counts casts by words, within an author and a channel, by hour and by day',
    call: ({ api }) => api.fetchCastMetrics({ q: 'tomatoes' }),
    look: async ({ api }, environment) => {
      const total = ({ metrics }: { readonly metrics: readonly { readonly cast_count: number }[] }): number =>
        metrics.reduce((sum, { cast_count: count }) => sum + count, 0);
      const found = await api.searchCasts({ q: 'tomatoes', limit: 100 });
      const days = await api.fetchCastMetrics({ q: 'tomatoes', interval: '180d' });
      expect(days.metrics).toHaveLength(180);
      expect(days.metrics[0]).toMatchObject({
        resolution_in_seconds: 86_400,
        start: expect.stringMatching(/T00:00:00/),
      });
      expect(total(days)).toBe(found.result.casts.length);
      const hers = await api.fetchCastMetrics({ q: 'beans', interval: '180d', authorFid: alice, channelId: 'garden' });
      const hersFound = await api.searchCasts({ q: 'beans', authorFid: alice, channelId: 'garden' });
      expect(total(hers)).toBe(hersFound.result.casts.length);
      expect(hashesOf(found.result)).toContain(hashOf(environment, 'hello'));
    },
  },
);
