import { expect } from 'vitest';
import { FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { hex, walk } from './page.js';

const { alice, bob, carol, dan, erin, heidi } = FIDS;

const fidsOf = ({ users }: { readonly users: readonly { readonly fid: number }[] }): number[] =>
  users.map(({ fid }) => fid);

/** Users, and what is known of them. */
export const userCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'fetch-bulk-users',
    does: 'reads users in the order asked for, with what the viewer thinks of them',
    call: ({ api }) => api.fetchBulkUsers({ fids: [alice] }),
    look: async ({ api }) => {
      const answer = await api.fetchBulkUsers({ fids: [bob, alice, 99_999], viewerFid: bob });
      expect(fidsOf(answer)).toEqual([bob, alice]);
      expect(answer.users[1]).toMatchObject({
        username: 'alice',
        viewer_context: { following: true, followed_by: true },
        experimental: { neynar_user_score: expect.any(Number) },
      });
    },
  },
  {
    id: 'fetch-bulk-users-by-eth-or-sol-address',
    does: 'finds users by custody and verified address',
    call: ({ api }, { seeded }) =>
      api.fetchBulkUsersByEthOrSolAddress({ addresses: [hex(seeded.alice.wallet(1).address)] }),
    look: async ({ api }, { seeded }) => {
      const verified = hex(seeded.alice.wallet(1).address);
      const custody = hex(seeded.bob.custody.address);
      const both = [verified, custody];
      const found = await api.fetchBulkUsersByEthOrSolAddress({ addresses: both, viewerFid: bob });
      expect(both.map((address) => found[address]?.map(({ fid }) => fid))).toEqual([[alice], [bob]]);
      const some = await api.fetchBulkUsersByEthOrSolAddress({ addresses: both, addressTypes: ['custody_address'] });
      expect(Object.keys(some)).toEqual([custody]);
    },
    errors: {
      404: ({ api }) => api.fetchBulkUsersByEthOrSolAddress({ addresses: [`0x${'9'.repeat(40)}`] }),
    },
  },
  {
    id: 'lookup-user-by-username',
    does: 'reads one user by name',
    call: ({ api }) => api.lookupUserByUsername({ username: 'alice' }),
    look: async ({ api }) => {
      const { user } = await api.lookupUserByUsername({ username: 'Bob', viewerFid: carol });
      expect(user).toMatchObject({ fid: bob, username: 'bob', viewer_context: { following: false } });
    },
    errors: { 404: ({ api }) => api.lookupUserByUsername({ username: 'nobody' }) },
  },
  {
    id: 'lookup-users-by-x-username',
    does: 'reads those who say they are somebody elsewhere',
    call: ({ api }) => api.lookupUsersByXUsername({ xUsername: 'dan_x' }),
    look: async ({ api }) => {
      const answer = await api.lookupUsersByXUsername({ xUsername: 'dan_x', viewerFid: alice });
      expect(fidsOf(answer)).toEqual([dan]);
    },
    errors: { 404: ({ api }) => api.lookupUsersByXUsername({ xUsername: 'not_anybody' }) },
  },
  {
    id: 'lookup-user-by-custody-address',
    does: 'reads the user whose custody it is',
    call: ({ api }, { seeded }) => api.lookupUserByCustodyAddress({ custodyAddress: hex(seeded.bob.custody.address) }),
    look: async ({ api }, { seeded }) => {
      const custodyAddress = hex(seeded.erin.custody.address);
      const { user } = await api.lookupUserByCustodyAddress({ custodyAddress });
      expect(user).toMatchObject({ fid: erin, custody_address: custodyAddress });
    },
    errors: { 404: ({ api }) => api.lookupUserByCustodyAddress({ custodyAddress: `0x${'9'.repeat(40)}` }) },
  },
  {
    id: 'fetch-users-by-location',
    does: 'lists the nearest first, page by page to the farthest',
    call: ({ api }) => api.fetchUsersByLocation({ latitude: 38.7, longitude: -9.1 }),
    look: async ({ api }) => {
      const near = { latitude: 38.7, longitude: -9.1, viewerFid: carol };
      const seen = await walk(
        (cursor) => api.fetchUsersByLocation({ ...near, limit: 1, ...(cursor && { cursor }) }),
        fidsOf,
      );
      expect(seen).toEqual([alice, bob, dan]);
    },
    beyond: { 404: 'Everywhere is somewhere: where nobody lives near, the farthest are listed, and of nobody nobody.' },
  },
  {
    id: 'search-user',
    does: 'finds users by the beginning of a name, page by page',
    call: ({ api }) => api.searchUser({ q: 'ali' }),
    look: async ({ api }) => {
      const all = await api.searchUser({ q: 'a', viewerFid: bob, limit: 10 });
      expect(fidsOf(all.result)).toContain(alice);
      const seen = await walk(
        (cursor) => api.searchUser({ q: 'a', limit: 1, ...(cursor && { cursor }) }),
        ({ result }) => fidsOf(result),
      );
      expect(seen).toEqual(fidsOf(all.result));
    },
  },
  {
    id: 'get-user-best-friends',
    does: 'ranks whom a user has most to do with, page by page',
    call: ({ api }) => api.getUserBestFriends({ fid: alice }),
    look: async ({ api }) => {
      const all = fidsOf(await api.getUserBestFriends({ fid: alice, limit: 10 }));
      expect(all).toContain(bob);
      const seen = await walk(
        (cursor) => api.getUserBestFriends({ fid: alice, limit: 1, ...(cursor && { cursor }) }),
        fidsOf,
      );
      expect(seen).toEqual(all);
    },
  },
  {
    id: 'fetch-verifications',
    does: 'lists the verified addresses of a user',
    call: ({ api }) => api.fetchVerifications({ fid: heidi }),
    look: async ({ api }, { seeded }) => {
      const answer = await api.fetchVerifications({ fid: alice });
      expect(JSON.stringify(answer)).toContain(hex(seeded.alice.wallet(1).address));
    },
  },
);
