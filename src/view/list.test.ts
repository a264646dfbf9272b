import fc from 'fast-check';
import { test } from 'vitest';
import { arbitraryPage, FIDS, HASHES } from '../../test/support/arbitrary-page.js';
import { expectView } from '../../test/support/expect-view.js';
import { plainCast, plainCastDehydrated, plainUser, plainUserDehydrated } from '../../test/support/expected-view.js';
import { rounds } from '../../test/support/rounds.js';
import type { Page } from '../hydrate/page.js';
import { BanListResponse } from '../schema/social/ban.js';
import { BestFriendsResponse } from '../schema/social/best-friend.js';
import { BlockListResponse } from '../schema/social/block.js';
import { FollowersResponse, ReciprocalFollowersResponse, RelevantFollowersResponse } from '../schema/social/follow.js';
import { MuteListResponse } from '../schema/social/mute.js';
import { NotificationsResponse } from '../schema/social/notification.js';
import { ReactionsCastResponse, ReactionsResponse } from '../schema/social/reaction.js';
import { VerificationsResponse } from '../schema/social/verification.js';
import { viewBans, viewMutes } from './account-mark.js';
import { viewSolAddress } from './address.js';
import { viewBestFriends } from './best-friend.js';
import { viewBlocks } from './block.js';
import { viewFollowers, viewReciprocalFollowers, viewRelevantFollowers } from './follower.js';
import { viewNotifications } from './notification.js';
import { viewCastReactions, viewUserReactions } from './reaction.js';
import { viewVerifications } from './verification.js';

const runs = { numRuns: rounds(200) };
const cursor = fc.constantFrom(null, 'abc', '"');
const fid = fc.constantFrom(...FIDS, 77);
const hash = fc.constantFrom(...HASHES, 'f'.repeat(40));
const ts = fc.nat(2e9);
const iso = (seconds: number): string => new Date(Date.UTC(2021, 0, 1) + seconds * 1000).toISOString();
const appFid = fc.option(fid, { nil: null });
const list = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 6 });

const appOf = (app: number | null, page: Page) => (app === null ? undefined : plainUserDehydrated(app, page));
/** @returns the result of `make` for a user in the page, nothing for other fids */
const withUser = (of: number, page: Page, make: (user: object) => object): object[] => {
  const user = plainUser(of, page);
  return user === undefined ? [] : [make(user)];
};

test('bans and mutes are as the interface says', () => {
  // Microseconds.
  const entry = fc.record({ fid, at: fc.nat(4e12).map((ms) => ms * 1000) });
  fc.assert(
    fc.property(arbitraryPage, list(entry), cursor, (page, entries, next) => {
      const plain = (kind: string) =>
        entries.flatMap((one) =>
          withUser(one.fid, page, (user) => {
            const [past, at] = kind === 'ban' ? ['banned', 'banned_at'] : ['muted', 'muted_at'];
            return { object: kind, [at]: new Date(one.at / 1000).toISOString(), [past]: user };
          }),
        );
      const end = { next: { cursor: next } };
      expectView(BanListResponse, page.dialect, viewBans(entries, next, page), { bans: plain('ban'), ...end });
      expectView(MuteListResponse, page.dialect, viewMutes(entries, next, page), { mutes: plain('mute'), ...end });
    }),
    runs,
  );
});

test('blocks are as the interface says; one without its two accounts is left out', () => {
  const block = fc.record({ fid, blockedFid: fid, ts });
  fc.assert(
    fc.property(arbitraryPage, list(block), cursor, (page, entries, next) => {
      const blocks = entries.flatMap((one) =>
        withUser(one.fid, page, (blocker) => ({ object: 'block', blocked_at: iso(one.ts), blocker })).flatMap((half) =>
          withUser(one.blockedFid, page, (blocked) => ({ ...half, blocked })),
        ),
      );
      expectView(BlockListResponse, page.dialect, viewBlocks(entries, next, page), { blocks, next: { cursor: next } });
    }),
    runs,
  );
});

test('followers of every kind are as the interface says', () => {
  const follow = fc.record({ fid, ts, appFid });
  fc.assert(
    fc.property(arbitraryPage, list(follow), list(follow), cursor, (page, follows, all, next) => {
      const end = { next: { cursor: next } };
      const users = follows.flatMap((one) =>
        withUser(one.fid, page, (user) => ({ object: 'follower', user, app: appOf(one.appFid, page) })),
      );
      const mutual = follows.flatMap((one) =>
        withUser(one.fid, page, (user) => ({ object: 'reciprocal_follower', timestamp: iso(one.ts), user })),
      );
      const faces = all.map((one) => ({ object: 'follower_dehydrated', user: plainUserDehydrated(one.fid, page) }));
      const { dialect } = page;
      expectView(FollowersResponse, dialect, viewFollowers(follows, page, next), { users, ...end });
      expectView(ReciprocalFollowersResponse, dialect, viewReciprocalFollowers(follows, page, next), {
        users: mutual,
        ...end,
      });
      expectView(RelevantFollowersResponse, dialect, viewRelevantFollowers(follows, all, page), {
        top_relevant_followers_hydrated: users,
        all_relevant_followers_dehydrated: faces,
      });
    }),
    runs,
  );
});

test('best friends are as the interface says', () => {
  const friend = fc.record({ fid, affinity: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(arbitraryPage, list(friend), cursor, (page, friends, next) => {
      const users = friends.flatMap((one) => {
        const user = page.users.get(one.fid);
        if (user === undefined) return [];
        const { username } = plainUserDehydrated(one.fid, page);
        return [{ fid: one.fid, mutual_affinity_score: one.affinity, username }];
      });
      const json = viewBestFriends(friends, page, next);
      expectView(BestFriendsResponse, page.dialect, json, { users, next: { cursor: next } });
    }),
    runs,
  );
});

test('reactions are as the interface says; those whose cast or account is not there are left out', () => {
  const reaction = fc.record({ type: fc.constantFrom(1, 2), ts, appFid, fid, castHash: hash });
  fc.assert(
    fc.property(arbitraryPage, list(reaction), fid, cursor, (page, reactions, by, next) => {
      const own = (one: { type: number; ts: number; appFid: number | null }) => ({
        object: one.type === 1 ? 'likes' : 'recasts',
        reaction_type: one.type === 1 ? 'like' : 'recast',
        reaction_timestamp: iso(one.ts),
        app: appOf(one.appFid, page),
      });
      const end = { next: { cursor: next } };
      const toCasts = reactions.flatMap((one) => {
        const cast = plainCast(one.castHash, page);
        return cast === undefined ? [] : [{ ...own(one), user: plainUserDehydrated(by, page), cast }];
      });
      const byUsers = reactions.flatMap((one) => withUser(one.fid, page, (user) => ({ ...own(one), user })));
      const { dialect } = page;
      expectView(ReactionsResponse, dialect, viewUserReactions(by, reactions, next, page), {
        reactions: toCasts,
        ...end,
      });
      expectView(ReactionsCastResponse, dialect, viewCastReactions(reactions, next, page), {
        reactions: byUsers,
        ...end,
      });
    }),
    runs,
  );
});

test('verifications are as the interface says', () => {
  const ofEthereum = fc.record({
    protocol: fc.constant(0),
    address: fc.constant('ab'.repeat(20)),
    ts,
    appFid,
  });
  const ofSolana = fc.record({ protocol: fc.constant(1), address: fc.constant('cd'.repeat(32)), ts, appFid });
  fc.assert(
    fc.property(arbitraryPage, list(fc.oneof(ofEthereum, ofSolana)), (page, rows) => {
      const verifications = rows.map(({ protocol, address, ts, appFid }) => ({
        object: 'verification',
        address: protocol === 0 ? `0x${address}` : viewSolAddress(address),
        protocol: protocol === 0 ? 'evm' : 'solana',
        verified_at: iso(ts),
        app: appOf(appFid, page),
      }));
      expectView(VerificationsResponse, page.dialect, viewVerifications(rows, page), { verifications });
    }),
    runs,
  );
});

const TYPES = ['', 'likes', 'recasts', 'mention', 'reply', 'quote', 'follows'];
const FOLLOWS = 6;

test('notifications are as the interface says; those whose cast is not there are left out', () => {
  const actor = fc.record({ fid, appFid });
  const notification = fc
    .record({
      kind: fc.integer({ min: 1, max: FOLLOWS }),
      key: hash,
      ts,
      group: fc.record({ actors: list(actor), count: fc.nat(1_000) }),
    })
    .map((one) => (one.kind === FOLLOWS ? { ...one, key: '' } : one));
  const seen = fc.array(fc.tuple(fc.integer({ min: 1, max: FOLLOWS }), ts)).map((marks) => new Map(marks));
  fc.assert(
    fc.property(
      arbitraryPage,
      list(notification),
      seen,
      fc.nat(1_000),
      cursor,
      (page, rows, seenUntil, unseen, next) => {
        const isGroup = (kind: number): boolean => kind <= 2 || kind === FOLLOWS;
        const groups = new Map(rows.flatMap((row) => (isGroup(row.kind) ? [[row, row.group] as const] : [])));
        const notifications = rows.flatMap((row) => {
          const { kind, key, group } = row;
          const cast = page.casts.get(key);
          const plain = cast && plainCast(key, page);
          if (kind !== FOLLOWS && plain === undefined) return [];
          const type = TYPES[kind] as string;
          const castType = kind === 3 || kind === 4 ? `cast-${type}` : undefined;
          return {
            object: 'notification',
            type,
            seen: row.ts <= (seenUntil.get(kind) ?? -1),
            most_recent_timestamp: iso(row.ts),
            count: isGroup(kind) ? group.count : 1,
            cast: plain && { ...plain, type: castType },
            follows:
              kind === FOLLOWS
                ? group.actors.flatMap((one) =>
                    withUser(one.fid, page, (user) => ({ object: 'follower', app: appOf(one.appFid, page), user })),
                  )
                : undefined,
            reactions:
              kind <= 2 && cast !== undefined
                ? group.actors.flatMap((one) =>
                    withUser(one.fid, page, (user) => ({ object: type, cast: plainCastDehydrated(cast, page), user })),
                  )
                : undefined,
          };
        });
        const json = viewNotifications({ rows, groups, marks: { seenUntil, unseen } }, next, page);
        const plain = { unseen_notifications_count: unseen, notifications, next: { cursor: next } };
        expectView(NotificationsResponse, page.dialect, json, plain);
      },
    ),
    runs,
  );
});
