import { expect } from 'vitest';
import { FIDS } from '../support/seed.js';
import { newTopic, storeTopics } from '../support/topic.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { walk } from './page.js';

const { alice, bob, carol } = FIDS;
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const store = ({ network }: Environment): Promise<void> =>
  storeTopics(
    network.app.core.db,
    [newTopic('tomatoes', [alice]), newTopic('beans', [bob, alice])],
    network.app.invalidate,
  );

/** Trending topics, and summaries of conversations. */
export const topicCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'list-trending-topics',
    does: 'lists topics, the strongest first, page by page',
    call: ({ api }) => api.listTrendingTopics({}),
    look: async ({ api }, environment) => {
      await store(environment);
      const seen = await walk(
        (cursor) => api.listTrendingTopics({ limit: 1, ...(cursor && { cursor }) }),
        ({ topics }) => topics.map(({ slug }) => slug),
      );
      expect(seen).toEqual(['tomatoes', 'beans']);
      const { topics } = await api.listTrendingTopics({ limit: 2 });
      expect(topics[1]?.authors.map(({ fid }) => fid)).toEqual([bob, alice]);
    },
  },
  {
    id: 'fetch-feed-by-topic',
    does: 'lists the casts about a topic, page by page',
    call: ({ api }) => api.fetchFeedByTopic({ slug: 'nothing' }),
    look: async ({ api }, environment) => {
      await store(environment);
      const asked = { slug: 'beans', withRecasts: true, viewerFid: carol };
      const all = (await api.fetchFeedByTopic({ ...asked, limit: 25 })).casts.map(({ hash }) => hash);
      expect(all.length).toBeGreaterThan(1);
      const seen = await walk(
        (cursor) => api.fetchFeedByTopic({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        ({ casts }) => casts.map(({ hash }) => hash),
      );
      expect(seen).toEqual(all);
    },
    errors: { 400: ({ api }) => api.fetchFeedByTopic({ slug: 'Not a slug' }) },
  },
  {
    id: 'lookup-cast-conversation-summary',
    does: 'summarises the conversation up to a cast',
    call: ({ api }, { seeded }) => api.lookupCastConversationSummary({ identifier: hex(seeded.casts.reply.hash) }),
    look: async ({ api }, { seeded }) => {
      const identifier = hex(seeded.casts.reply.hash);
      const { summary } = await api.lookupCastConversationSummary({ identifier, limit: 5, prompt: 'Short.' });
      expect(summary.text).toBe('A summary that names bob.');
      expect(summary.participants.map(({ fid }) => fid)).toEqual([alice, bob]);
      expect(summary.mentioned_profiles.map(({ fid }) => fid)).toEqual([bob]);
    },
  },
);
