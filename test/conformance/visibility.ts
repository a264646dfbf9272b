import { expect } from 'vitest';
import { FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { walk } from './page.js';

const { bob, carol, dan, erin, frank, grace, heidi } = FIDS;
/** The contract lists it for all of these. */
const NO_404 = { 404: 'An account need not be known here to be kept out, and an unknown one is listed with its fid.' };

/** Bans and mutes within an app, and the blocks that users signed. */
export const visibilityCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'publish-bans',
    does: 'bans accounts from what the app sees',
    call: ({ api }) => api.publishBans({ fids: [frank] }),
    look: async ({ api }) => {
      expect(await api.publishBans({ fids: [frank, grace, heidi] })).toMatchObject({ success: true });
      const { users } = await api.fetchBulkUsers({ fids: [frank, bob] });
      expect(users.map(({ fid }) => fid)).toContain(bob);
      const { bans } = await api.fetchBanList({});
      expect(bans.map(({ banned }) => banned?.fid).sort()).toEqual([frank, grace, heidi]);
    },
    beyond: NO_404,
  },
  {
    id: 'fetch-ban-list',
    does: 'lists the bans of the app, page by page',
    call: ({ api }) => api.fetchBanList({}),
    look: async ({ api }) => {
      const seen = await walk(
        (cursor) => api.fetchBanList({ limit: 1, ...(cursor && { cursor }) }),
        ({ bans }) => bans.map(({ banned }) => banned?.fid ?? 0),
      );
      expect([...seen].sort()).toEqual([frank, grace, heidi]);
    },
    beyond: NO_404,
  },
  {
    id: 'delete-bans',
    does: 'lets accounts in again',
    call: ({ api }) => api.deleteBans({ fids: [frank] }),
    look: async ({ api }) => {
      expect(await api.deleteBans({ fids: [frank, grace, heidi] })).toMatchObject({ success: true });
      expect((await api.fetchBanList({})).bans).toEqual([]);
    },
    beyond: NO_404,
  },
  {
    id: 'publish-mute',
    does: 'mutes an account for a user',
    call: ({ api }) => api.publishMute({ fid: dan, mutedFid: erin }),
    look: async ({ api }) => {
      await api.publishMute({ fid: dan, mutedFid: erin });
      expect(await api.publishMute({ fid: dan, mutedFid: frank })).toMatchObject({ success: true });
    },
    beyond: NO_404,
  },
  {
    id: 'fetch-mute-list',
    does: 'lists whom a user muted, newest first, page by page',
    call: ({ api }) => api.fetchMuteList({ fid: dan }),
    look: async ({ api }) => {
      const seen = await walk(
        (cursor) => api.fetchMuteList({ fid: dan, limit: 1, ...(cursor && { cursor }) }),
        ({ mutes }) => mutes.map(({ muted }) => muted?.fid ?? 0),
      );
      expect(seen).toEqual([frank, erin]);
    },
    beyond: NO_404,
  },
  {
    id: 'delete-mute',
    does: 'hears an account again',
    call: ({ api }) => api.deleteMute({ fid: dan, mutedFid: frank }),
    look: async ({ api }) => {
      await api.deleteMute({ fid: dan, mutedFid: erin });
      expect((await api.fetchMuteList({ fid: dan })).mutes).toEqual([]);
    },
    beyond: NO_404,
  },
  {
    id: 'fetch-block-list',
    does: 'lists who blocked whom, page by page',
    call: ({ api }) => api.fetchBlockList({ blockerFid: erin }),
    look: async ({ api }) => {
      const seen = await walk(
        (cursor) => api.fetchBlockList({ blockerFid: erin, limit: 1, ...(cursor && { cursor }) }),
        ({ blocks }) => blocks.map(({ blocked }) => blocked?.fid ?? 0),
      );
      expect([...seen].sort()).toEqual([dan, frank]);
      const { blocks } = await api.fetchBlockList({ blockedFid: erin });
      expect(blocks.map(({ blocker }) => blocker?.fid)).toEqual([carol]);
    },
    beyond: NO_404,
  },
);
