import { expect } from 'vitest';
import { CHANNEL_URL, FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { walk } from './page.js';

const { alice, bob, dan } = FIDS;

interface Told {
  readonly notifications: readonly { readonly type: string; readonly most_recent_timestamp: string }[];
}
const keysOf = ({ notifications }: Told): string[] =>
  notifications.map(({ type, most_recent_timestamp: at }) => `${type} ${at}`);

/** What a user should hear about. */
export const notificationCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'fetch-all-notifications',
    does: 'tells of follows, likes, recasts, mentions, replies and quotes, page by page',
    call: ({ api }) => api.fetchAllNotifications({ fid: alice }),
    look: async ({ api }) => {
      const all = await api.fetchAllNotifications({ fid: alice, limit: 15 });
      const kinds = [...new Set(all.notifications.map(({ type }) => type as string))].sort();
      expect(kinds).toEqual(['follows', 'likes', 'mention', 'recasts', 'reply']);
      const seen = await walk(
        (cursor) => api.fetchAllNotifications({ fid: alice, limit: 1, ...(cursor && { cursor }) }),
        keysOf,
      );
      expect(seen).toEqual(keysOf(all));
      const mentions = await api.fetchAllNotifications({ fid: dan, type: ['mentions'] });
      expect(mentions.notifications.map(({ type }) => type)).toEqual(['mention']);
    },
  },
  {
    id: 'fetch-channel-notifications-for-user',
    does: 'tells of casts within channels, page by page',
    call: ({ api }) => api.fetchChannelNotificationsForUser({ fid: bob, channelIds: ['garden'] }),
    look: async ({ api }) => {
      const asked = { fid: bob, channelIds: ['garden'] };
      const all = keysOf(await api.fetchChannelNotificationsForUser({ ...asked, limit: 15 }));
      expect(all.length).toBeGreaterThan(1);
      const seen = await walk(
        (cursor) => api.fetchChannelNotificationsForUser({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        keysOf,
      );
      expect(seen).toEqual(all);
    },
  },
  {
    id: 'fetch-notifications-by-parent-url-for-user',
    does: 'tells of casts below URLs, page by page',
    call: ({ api }) => api.fetchNotificationsByParentUrlForUser({ fid: bob, parentUrls: [CHANNEL_URL] }),
    look: async ({ api }) => {
      const asked = { fid: bob, parentUrls: [CHANNEL_URL] };
      const all = keysOf(await api.fetchNotificationsByParentUrlForUser({ ...asked, limit: 15 }));
      expect(all.length).toBeGreaterThan(1);
      const seen = await walk(
        (cursor) => api.fetchNotificationsByParentUrlForUser({ ...asked, limit: 1, ...(cursor && { cursor }) }),
        keysOf,
      );
      expect(seen).toEqual(all);
    },
  },
  {
    id: 'fetch-user-interactions',
    does: 'tells of what two users did about each other',
    call: ({ api }) => api.fetchUserInteractions({ fids: [alice, bob] }),
    look: async ({ api }) => {
      const { interactions } = await api.fetchUserInteractions({ fids: [alice, bob] });
      const types = new Set(interactions.map(({ type }) => type as string));
      for (const type of ['follows', 'mention', 'reply']) expect(types).toContain(type);
      const replies = await api.fetchUserInteractions({ fids: [bob, alice], type: ['replies'] });
      expect(new Set(replies.interactions.map(({ type }) => type as string))).toEqual(new Set(['reply']));
      const authors = replies.interactions.map(({ cast }) => cast?.author.fid);
      expect(new Set(authors)).toContain(bob);
    },
  },
);
