import { expect } from 'vitest';
import { CHANNEL_URL, FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { hex, walkHub } from './page.js';

const { alice, bob, carol, dan } = FIDS;
const PAGE_URL = 'https://news.example/beans';

/** What the client's types call a file is what it sends as it is. */
const fileOf = (wire: Uint8Array): never => Buffer.from(wire) as never;
const hashOf = ({ seeded }: Environment, name: keyof Environment['seeded']['casts']): string =>
  hex(seeded.casts[name].hash);

/** What hubs know and the client does not. */
const OF_HUBS = 'The client does not send it; test/hub-query.test.ts does.';
const OF_LISTS = 'The client does not send it; test/hub-signer.test.ts does.';
const PAGES = { 'query pageSize': OF_LISTS, 'query reverse': OF_LISTS, 'query pageToken': OF_LISTS };
const TIMES = { 'query startTimestamp': OF_HUBS, 'query stopTimestamp': OF_HUBS };
const EVENT_RANGE = {
  'query stop_id': OF_HUBS,
  'query shard_index': OF_HUBS,
  'query pageSize': OF_HUBS,
  'query reverse': OF_HUBS,
};

interface Asked {
  readonly pageSize: number;
  readonly reverse: boolean;
  readonly pageToken?: string;
}

/** Walks a hub's list by pages of one, there and back. @returns the keys of all, in order */
const thereAndBack = async <Page>(
  ask: (page: Asked) => Promise<Page>,
  keysOf: (page: Page) => readonly (string | number)[],
): Promise<readonly (string | number)[]> => {
  const all = (reverse: boolean) =>
    walkHub((pageToken) => ask({ pageSize: 1, reverse, ...(pageToken && { pageToken }) }), keysOf);
  const there = await all(false);
  expect(await all(true)).toEqual(there.toReversed());
  expect(there.length, 'a list with more than one page').toBeGreaterThan(1);
  return there;
};

/** Of a page of messages; the client's types know some of them as what a single one is, too. */
const hashesIn = (page: object): string[] =>
  (page as { messages: readonly { hash: string }[] }).messages.map(({ hash }) => hash);

/** The interface of a hub, through the hub's client. */
export const hubCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'hub-lookup-info',
    does: 'tells of the hub',
    call: ({ hub }) => hub.lookupHubInfo({ dbstats: true }),
    look: async ({ hub }) => expect(await hub.lookupHubInfo({ dbstats: true })).toHaveProperty('dbStats'),
    errors: { 400: ({ plain }) => plain('GET', '/v1/info?dbstats=perhaps') },
  },
  {
    id: 'hub-lookup-cast-by-hash-and-fid',
    does: 'reads one cast as it was signed',
    call: ({ hub }, environment) => hub.lookupCastByHashAndFid({ fid: alice, hash: hashOf(environment, 'hello') }),
    look: async ({ hub }, environment) => {
      const cast = await hub.lookupCastByHashAndFid({ fid: alice, hash: hashOf(environment, 'hello') });
      expect(cast).toMatchObject({
        hash: hashOf(environment, 'hello'),
        data: { network: 'FARCASTER_NETWORK_DEVNET', castAddBody: { mentions: [bob] } },
      });
    },
    errors: {
      404: ({ hub }, environment) => hub.lookupCastByHashAndFid({ fid: bob, hash: hashOf(environment, 'hello') }),
    },
  },
  {
    id: 'hub-fetch-users-casts',
    does: 'lists the casts of a user, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchUsersCasts({ fid: alice }),
    look: async ({ hub }, environment) => {
      const seen = await thereAndBack((page) => hub.fetchUsersCasts({ fid: alice, ...page }), hashesIn);
      expect(seen[0]).toBe(hashOf(environment, 'hello'));
    },
  },
  {
    id: 'hub-fetch-casts-mentioning-user',
    does: 'lists the casts that name a user, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchCastsMentioningUser({ fid: bob }),
    look: async ({ hub }, environment) => {
      const seen = await thereAndBack((page) => hub.fetchCastsMentioningUser({ fid: bob, ...page }), hashesIn);
      expect(seen.slice(0, 2)).toEqual([hashOf(environment, 'hello'), hashOf(environment, 'emoji')]);
    },
  },
  {
    id: 'hub-fetch-casts-by-parent',
    does: 'lists the answers to a cast and what is below a URL, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchCastsByParent({ url: CHANNEL_URL }),
    look: async ({ hub }, environment) => {
      const hash = hashOf(environment, 'hello');
      const seen = await thereAndBack((page) => hub.fetchCastsByParent({ fid: alice, hash, ...page }), hashesIn);
      expect(seen[0]).toBe(hashOf(environment, 'reply'));
      expect(hashesIn(await hub.fetchCastsByParent({ url: CHANNEL_URL }))).toContain(hashOf(environment, 'channel'));
    },
  },
  {
    id: 'hub-lookup-reaction-by-id',
    does: 'reads one reaction',
    call: ({ hub }, environment) =>
      hub.lookupReactionById({
        fid: carol,
        targetFid: alice,
        targetHash: hashOf(environment, 'hello'),
        reactionType: 'Like',
      }),
    look: async ({ hub }, environment) => {
      const asked = { fid: carol, targetFid: alice, targetHash: hashOf(environment, 'hello') };
      const reaction = await hub.lookupReactionById({ ...asked, reactionType: 'Recast' });
      expect(reaction.data).toMatchObject({ fid: carol, reactionBody: { targetCastId: { fid: alice } } });
    },
    errors: {
      404: ({ hub }, environment) =>
        hub.lookupReactionById({
          fid: dan,
          targetFid: alice,
          targetHash: hashOf(environment, 'hello'),
          reactionType: 'Recast',
        }),
    },
  },
  {
    id: 'hub-fetch-cast-reactions',
    does: 'lists the reactions to a cast, there and back',
    unsent: TIMES,
    call: ({ hub }, environment) =>
      hub.fetchCastReactions({ targetFid: alice, targetHash: hashOf(environment, 'hello'), reactionType: 'Like' }),
    look: async ({ hub }, environment) => {
      const asked = { targetFid: alice, targetHash: hashOf(environment, 'hello'), reactionType: 'Like' } as const;
      expect(await thereAndBack((page) => hub.fetchCastReactions({ ...asked, ...page }), hashesIn)).toHaveLength(4);
    },
  },
  {
    id: 'hub-fetch-user-reactions',
    does: 'lists the reactions of a user, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchUserReactions({ fid: alice, reactionType: 'Like' }),
    look: async ({ hub }) => {
      const asked = { fid: alice, reactionType: 'Like' } as const;
      expect(await thereAndBack((page) => hub.fetchUserReactions({ ...asked, ...page }), hashesIn)).toHaveLength(2);
    },
  },
  {
    id: 'hub-fetch-reactions-by-target',
    does: 'lists the reactions to a URL, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchReactionsByTarget({ url: PAGE_URL }),
    look: async ({ hub }, { network, seeded }) => {
      const likes = [seeded.alice.react('like', PAGE_URL), seeded.bob.react('like', PAGE_URL)];
      await network.load(likes.map(({ item }) => item));
      const asked = { url: PAGE_URL, reactionType: 'Like' } as const;
      const seen = await thereAndBack((page) => hub.fetchReactionsByTarget({ ...asked, ...page }), hashesIn);
      expect(seen).toEqual(likes.map(({ hash }) => hex(hash)));
    },
  },
  {
    id: 'hub-lookup-user-relation',
    does: 'reads one follow',
    call: ({ hub }) => hub.lookupUserRelation({ fid: bob, targetFid: alice, linkType: 'follow' }),
    look: async ({ hub }) => {
      const link = await hub.lookupUserRelation({ fid: bob, targetFid: alice, linkType: 'follow' });
      expect(link.data).toMatchObject({ fid: bob, linkBody: { type: 'follow', targetFid: alice } });
    },
    errors: { 404: ({ hub }) => hub.lookupUserRelation({ fid: carol, targetFid: bob, linkType: 'follow' }) },
  },
  {
    id: 'hub-fetch-user-following',
    does: 'lists whom a user follows, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchUserFollowing({ fid: alice }),
    look: async ({ hub }) => {
      const asked = { fid: alice, linkType: 'follow' } as const;
      expect(await thereAndBack((page) => hub.fetchUserFollowing({ ...asked, ...page }), hashesIn)).toHaveLength(2);
    },
  },
  {
    id: 'hub-fetch-user-followers',
    does: 'lists who follows a user, there and back',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchUserFollowers({ targetFid: alice }),
    look: async ({ hub }) => {
      const asked = { targetFid: alice, linkType: 'follow' } as const;
      expect(await thereAndBack((page) => hub.fetchUserFollowers({ ...asked, ...page }), hashesIn)).toHaveLength(3);
    },
  },
  {
    id: 'hub-fetch-user-data',
    does: 'lists the messages of a profile, there and back, and reads one',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchUserData({ fid: alice }),
    look: async ({ hub }) => {
      await thereAndBack((page) => hub.fetchUserData({ fid: alice, ...page }), hashesIn);
      const name = await hub.fetchUserData({ fid: alice, userDataType: 'USER_DATA_TYPE_USERNAME' });
      expect(name).toMatchObject({ data: { userDataBody: { value: 'alice' } } });
    },
  },
  {
    id: 'hub-fetch-fids',
    does: 'lists all accounts, there and back',
    call: ({ hub }) => hub.fetchFids({ shardId: 1 }),
    // A request without a shard is that of an older client, and right.
    errors: { 400: ({ hub }) => hub.fetchFids({ shardId: 2 }) },
    look: async ({ hub }) => {
      const seen = await thereAndBack(
        (page) => hub.fetchFids({ shardId: 1, ...page }),
        ({ fids }) => fids,
      );
      expect(seen).toEqual(Object.values(FIDS));
    },
  },
  {
    id: 'hub-lookup-user-storage-limit',
    does: 'tells how much an account may store',
    call: ({ hub }) => hub.lookupUserStorageLimit({ fid: alice }),
    look: async ({ hub }) => {
      const { limits } = await hub.lookupUserStorageLimit({ fid: alice });
      expect(limits.length).toBeGreaterThan(5);
    },
  },
  {
    id: 'hub-fetch-username-proofs-by-fid',
    does: 'lists the proofs of names',
    call: ({ hub }) => hub.fetchUsernameProofsByFid({ fid: alice }),
    look: async ({ hub }) => {
      const { proofs } = await hub.fetchUsernameProofsByFid({ fid: alice });
      expect(proofs.map(({ name }) => name)).toEqual(['alice']);
    },
  },
  {
    id: 'hub-fetch-username-proof-by-name',
    does: 'reads the proof of a name',
    call: ({ hub }) => hub.fetchUsernameProofByName({ name: 'alice' }),
    look: async ({ hub }) => {
      expect(await hub.fetchUsernameProofByName({ name: 'bob' })).toMatchObject({ name: 'bob', fid: bob });
    },
    errors: { 404: ({ hub }) => hub.fetchUsernameProofByName({ name: 'nobody' }) },
  },
  {
    id: 'hub-fetch-verifications-by-fid',
    does: 'lists the claims to addresses, there and back, and reads one',
    unsent: TIMES,
    call: ({ hub }) => hub.fetchVerificationsByFid({ fid: alice }),
    look: async ({ hub }, { network, seeded }) => {
      await network.load([(await seeded.alice.verifyEthereum(seeded.alice.wallet(2))).item]);
      await thereAndBack((page) => hub.fetchVerificationsByFid({ fid: alice, ...page }), hashesIn);
      const address = hex(seeded.alice.wallet(2).address);
      const found = await hub.fetchVerificationsByFid({ fid: alice, address });
      expect(JSON.stringify(found)).toContain(address);
    },
  },
  {
    id: 'hub-lookup-on-chain-id-registry-event-by-address',
    does: 'reads how an account came into being',
    call: ({ hub }, { seeded }) =>
      hub.lookupOnChainIdRegistryEventByAddress({ address: hex(seeded.alice.custody.address) }),
    look: async ({ hub }, { seeded }) => {
      const address = hex(seeded.bob.custody.address);
      expect(await hub.lookupOnChainIdRegistryEventByAddress({ address })).toMatchObject({ fid: bob });
    },
    errors: { 404: ({ hub }) => hub.lookupOnChainIdRegistryEventByAddress({ address: `0x${'9'.repeat(40)}` }) },
  },
  {
    id: 'hub-fetch-user-on-chain-events',
    does: 'lists what happened to an account on the chain',
    call: ({ hub }) => hub.fetchUserOnChainEvents({ fid: alice, eventType: 'EVENT_TYPE_STORAGE_RENT' }),
    look: async ({ hub }) => {
      const { events } = await hub.fetchUserOnChainEvents({ fid: alice, eventType: 'EVENT_TYPE_SIGNER' });
      expect(events.map(({ fid }) => fid)).toEqual([alice]);
    },
  },
  {
    id: 'hub-fetch-user-on-chain-signers-events',
    does: 'lists the keys of an account, and reads one',
    call: ({ hub }) => hub.fetchUserOnChainSignersEvents({ fid: alice }),
    look: async ({ hub }, { seeded }) => {
      const signer = hex(seeded.alice.signer);
      const one = await hub.fetchUserOnChainSignersEvents({ fid: alice, signer });
      expect(one).toMatchObject({ signerEventBody: { key: signer } });
    },
    unsent: PAGES,
    errors: { 404: ({ hub }) => hub.fetchUserOnChainSignersEvents({ fid: alice, signer: `0x${'9'.repeat(64)}` }) },
  },
  {
    id: 'hub-validate-message',
    does: 'tells whether a message holds',
    call: ({ hub }, { seeded }) => hub.validateMessage({ body: fileOf(seeded.casts.hello.wire) }),
    look: async ({ hub }, environment) => {
      const told = await hub.validateMessage({ body: fileOf(environment.seeded.casts.hello.wire) });
      expect(told).toMatchObject({ valid: true, message: { hash: hashOf(environment, 'hello') } });
    },
    errors: { 400: ({ hub }) => hub.validateMessage({ body: fileOf(Buffer.from('nothing of the kind')) }) },
  },
  {
    id: 'hub-publish-message',
    does: 'takes a message, which is read in the next request',
    call: ({ hub }, { seeded }) => hub.publishMessage({ body: fileOf(seeded.grace.cast({ text: 'Another' }).wire) }),
    look: async ({ api, hub }, { seeded }) => {
      const message = seeded.grace.cast({ text: 'Through the hub' });
      expect(await hub.publishMessage({ body: fileOf(message.wire) })).toMatchObject({ hash: hex(message.hash) });
      const { cast } = await api.lookupCastByHashOrUrl({ identifier: hex(message.hash), type: 'hash' });
      expect(cast.text).toBe('Through the hub');
      await hub.publishMessage({ body: fileOf(seeded.grace.cast({ text: 'And again' }).wire) });
    },
    errors: { 400: ({ hub }) => hub.publishMessage({ body: fileOf(Buffer.from('nothing of the kind')) }) },
  },
  {
    id: 'hub-fetch-events',
    does: 'lists what happened, from an event on',
    unsent: EVENT_RANGE,
    call: ({ hub }) => hub.fetchEvents({}),
    look: async ({ hub }) => {
      const { events } = await hub.fetchEvents({});
      const ids = events.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(1);
      const rest = await hub.fetchEvents({ fromEventId: ids[1] as number });
      expect(rest.events.map(({ id }) => id)).toEqual(ids.slice(1));
    },
    errors: { 400: ({ plain }) => plain('GET', '/v1/events?from_event_id=first') },
  },
  {
    id: 'hub-lookup-event',
    does: 'reads one event',
    call: async ({ hub }, environment) => {
      const { events } = await environment
        .clients()
        .hub.fetchEvents({})
        .catch(() => ({ events: [] }));
      return hub.lookupEvent({ eventId: events[0]?.id ?? 1 });
    },
    look: async ({ hub }) => {
      const { events } = await hub.fetchEvents({});
      expect(await hub.lookupEvent({ eventId: events.at(-1)?.id as number })).toEqual(events.at(-1));
    },
    errors: { 404: ({ hub }) => hub.lookupEvent({ eventId: 999_999 }) },
  },
);
