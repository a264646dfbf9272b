import { OnChainEvent, UserDataType } from '@farcaster/core';
import type { Freshness } from '../../src/cache/freshness.js';
import { membershipInvalidation } from '../../src/channel/channel.js';
import { createCrawler } from '../../src/crawl/crawler.js';
import type { Database } from '../../src/db/database.js';
import { importChannels } from '../../src/ingest/file/channel-import.js';
import type { IngestItem } from '../../src/ingest/item.js';
import type { Ingest } from '../../src/ingest/pipeline/pipeline.js';
import { countChannelActivity } from '../../src/job/channel-activity.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { type Author, author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { deleteBans, insertBans } from '../../src/store/access/ban.js';
import { deleteMute, insertMute } from '../../src/store/access/mute.js';
import { invalidationOf } from '../../src/store/change.js';
import { deleteChannelFollow, insertChannelFollow } from '../../src/store/channel/follow.js';
import { deleteMember, upsertMember } from '../../src/store/channel/member.js';
import { describeChannel, upsertChannels } from '../../src/store/channel/write.js';
import type { WriteAndInvalidate } from '../../src/store/invalidating-transaction.js';
import { updateNotificationSeen } from '../../src/store/notification/seen.js';
import { updateScores } from '../../src/store/protocol/score.js';
import { bansOf, CHANNEL_LIST, channelOf, channelUrlOf, relationsOf, seenMarksOf } from '../../src/store/tag.js';
import { documentReader } from './document-reader.js';
import { CHANNEL_ID, PAGE_URL } from './read-query.js';
import { CHANNEL_URL, FIDS, SEED, type Seeded } from './seed.js';
import { newTopic, storeTopics } from './topic.js';

export interface EventDependencies {
  readonly db: Database;
  readonly seeded: Seeded;
  readonly ingest: Ingest;
  readonly change: WriteAndInvalidate;
  readonly freshness: Freshness;
  /** Unix milliseconds; future timestamps are 300 s after it. */
  readonly now: number;
  /** App whose bans, mutes and marks are written. */
  readonly appId: string;
  /** Receives each cast that is made, stored or not. */
  readonly made: (cast: Signed) => void;
}

/** Accounts and casts of an event; `n` is different for each event. */
export interface EventInput {
  readonly who: Author;
  readonly other: Author;
  readonly cast: Signed;
  readonly n: number;
}

/** Accounts that act. */
export const USERS = ['alice', 'bob', 'carol', 'dan', 'erin'] as const;
/** A fid that is mentioned and followed before it registers. */
export const UNREGISTERED_FID = 21;

const nameOf = (fid: number): string => USERS.find((name) => FIDS[name] === fid) ?? 'newcomer';

/** @returns the event with its key changed to an auth address */
const asAuthKey = (item: IngestItem): IngestItem => {
  if (item.kind !== 'onchain') throw new Error('a signer is added onchain');
  const event = OnChainEvent.decode(OnChainEvent.encode(item.event).finish());
  if (event.signerEventBody) event.signerEventBody.keyType = 2;
  return { ...item, event };
};

const channelFile = (n: number): string =>
  JSON.stringify([
    {
      id: CHANNEL_ID,
      parent_url: CHANNEL_URL,
      name: `Garden ${n}`,
      lead_fid: n % 2 ? FIDS.carol : FIDS.dan,
      created_at: '2024-01-01T00:00:00Z',
      members: [{ fid: n % 3 ? FIDS.bob : FIDS.alice, role: 'member' }],
    },
  ]);

/** Messages and onchain events that arrive through ingest. */
const ingestEvents = ({ seeded, ingest, made, now }: EventDependencies) => {
  const submit = (...messages: readonly (Signed | IngestItem)[]) =>
    ingest.submit(
      messages.map((message) => ('item' in message ? message.item : message)),
      { source: 'local', announce: false },
    );
  const publish = (cast: Signed, ...before: Signed[]) => {
    made(cast);
    return submit(...before, cast);
  };
  const unregisteredAuthor = author({ seed: SEED, fid: UNREGISTERED_FID, clock: seeded.clock });
  const authorOf = (cast: Signed): Author => {
    const name = USERS.find((one) => FIDS[one] === cast.fid);
    return name === undefined ? unregisteredAuthor : seeded[name];
  };
  const data = (type: UserDataType, value: (scene: EventInput) => string) => (scene: EventInput) =>
    submit(scene.who.userData(type, value(scene)));
  let keys = 10;
  const signed = async ({ who, other, n }: EventInput) => {
    const key = who.withKey(++keys);
    await submit(await key.addSigner({ requester: { fid: other.fid, wallet: other.custody } }));
    await publish(key.cast({ text: `event ${n}` }));
    await submit(key.follow(other.fid), key.react('like', seeded.casts.hello));
    return key;
  };
  let last: Author | undefined;
  return {
    cast: ({ who, n }: EventInput) => publish(who.cast({ text: `event ${n}`, embeds: [PAGE_URL] })),
    castInChannel: ({ who, n }: EventInput) =>
      publish(who.cast({ text: `event ${n} in /garden`, parent: CHANNEL_URL })),
    mention: ({ who, other, n }: EventInput) =>
      publish(who.cast({ text: [`event ${n} `, other.fid, ' and ', UNREGISTERED_FID] })),
    reply: ({ who, cast, n }: EventInput) => publish(who.cast({ text: `event ${n}`, parent: cast })),
    quote: ({ who, cast, n }: EventInput) => publish(who.cast({ text: `event ${n}`, embeds: [cast] })),
    removeCast: ({ cast }: EventInput) => submit(authorOf(cast).removeCast(cast.hash)),
    castAfterReactions: ({ who, other, n }: EventInput) => {
      const cast = other.cast({ text: `event ${n}` });
      return publish(cast, who.react('like', cast), who.react('recast', cast));
    },
    replyBeforeParent: async ({ who, other, n }: EventInput) => {
      const parent = other.cast({ text: `event ${n}`, parent: CHANNEL_URL });
      await publish(who.cast({ text: `event ${n}, early`, parent }));
      await publish(parent);
    },
    like: ({ who, cast }: EventInput) => submit(who.react('like', cast), who.react('like', PAGE_URL)),
    unlike: ({ who, cast }: EventInput) => submit(who.unreact('like', cast), who.unreact('like', PAGE_URL)),
    recast: ({ who, cast }: EventInput) => submit(who.react('recast', cast)),
    unrecast: ({ who, cast }: EventInput) => submit(who.unreact('recast', cast)),
    follow: ({ who, other }: EventInput) => submit(who.follow(other.fid)),
    followNewcomer: ({ who }: EventInput) => submit(who.follow(UNREGISTERED_FID)),
    unfollow: ({ who, other }: EventInput) => submit(who.unfollow(other.fid)),
    compactFollows: ({ who, other }: EventInput) => submit(who.compactLinks('follow', [other.fid, UNREGISTERED_FID])),
    block: ({ who, other }: EventInput) => submit(who.link('block', other.fid)),
    unblock: ({ who, other }: EventInput) => submit(who.unlink('block', other.fid)),
    display: data(UserDataType.DISPLAY, ({ n }) => `event ${n}`),
    picture: data(UserDataType.PFP, ({ n }) => `https://image.example/${n}.png`),
    bio: data(UserDataType.BIO, ({ other, n }) => `${n}: @${nameOf(other.fid)}, @newcomer in /garden`),
    location: data(UserDataType.LOCATION, ({ n }) => (n % 3 === 0 ? '' : `geo:38.${10 + (n % 80)},-9.14`)),
    account: data(UserDataType.TWITTER, ({ n }) => (n % 2 ? 'someone' : '')),
    unname: data(UserDataType.USERNAME, () => ''),
    name: data(UserDataType.USERNAME, ({ who }) => nameOf(who.fid)),
    transferName: async ({ who, other }: EventInput) => {
      await submit(await who.fnameProof(nameOf(other.fid)));
      await submit(who.userData(UserDataType.USERNAME, nameOf(other.fid)));
    },
    returnName: async ({ who }: EventInput) => {
      await submit(await who.fnameProof(nameOf(who.fid)));
      await submit(who.userData(UserDataType.USERNAME, nameOf(who.fid)));
    },
    verify: async ({ who }: EventInput) => submit(await who.verifyEthereum(who.wallet(1))),
    verifyOnSolana: ({ who }: EventInput) => submit(who.verifySolana(who.solanaKey(0))),
    unverify: ({ who }: EventInput) => submit(who.removeVerification(0, who.wallet(1).address)),
    transferAccount: ({ who, n }: EventInput) => submit(who.transfer(n % 2 ? 2 : 0)),
    addSigner: async (scene: EventInput) => {
      last = await signed(scene);
    },
    changeApp: async ({ who }: EventInput) =>
      last === undefined
        ? undefined
        : submit(await last.addSigner({ requester: { fid: who.fid, wallet: who.custody } })),
    removeSigner: () => (last === undefined ? undefined : submit(last.removeSigner())),
    authKey: async ({ who, other }: EventInput) => {
      const requester = { fid: other.fid, wallet: other.custody };
      last = who.withKey(++keys);
      await submit(asAuthKey(await last.addSigner({ requester })));
    },
    buyPro: ({ who }: EventInput) => submit(who.buyPro(365)),
    rent: ({ who }: EventInput) => submit(who.rent(1)),
    lend: ({ who, other }: EventInput) => submit(who.lendStorage(other.fid, 1)),
    register: async ({ n }: EventInput) => {
      await submit(unregisteredAuthor.register(), unregisteredAuthor.rent(1), await unregisteredAuthor.addSigner());
      await submit(
        await unregisteredAuthor.fnameProof('newcomer'),
        unregisteredAuthor.userData(UserDataType.USERNAME, 'newcomer'),
      );
      await publish(unregisteredAuthor.cast({ text: `event ${n}` }));
    },
    ahead: async ({ who, other, cast }: EventInput) => {
      const at = fromUnixMs(now) + 300;
      await publish(who.cast({ text: ['From the future, ', other.fid], at }));
      await submit(
        who.follow(other.fid, at + 10),
        who.react('like', cast, at + 20),
        who.react('recast', cast, at + 30),
      );
    },
  };
};

/** Writes outside of ingest with their invalidation. */
const ownEvents = ({ db, change, freshness, appId, now }: EventDependencies) => ({
  mute: ({ who, other }: EventInput) =>
    change(invalidationOf([relationsOf(who.fid)]), (session) =>
      insertMute(session, { fid: who.fid, appId, mutedFid: other.fid }, new Date()),
    ),
  unmute: ({ who, other }: EventInput) =>
    change(invalidationOf([relationsOf(who.fid)]), (session) =>
      deleteMute(session, { fid: who.fid, appId, mutedFid: other.fid }),
    ),
  ban: ({ who }: EventInput) =>
    change(invalidationOf([bansOf(appId)]), (session) => insertBans(session, appId, [who.fid], new Date())),
  unban: () => change(invalidationOf([bansOf(appId)]), (session) => deleteBans(session, appId, Object.values(FIDS))),
  see: ({ who }: EventInput) =>
    change(invalidationOf([seenMarksOf(who.fid)]), (session) =>
      updateNotificationSeen(session, { fid: who.fid, appId }, ['likes', 'follows', 'mentions'], fromUnixMs(now)),
    ),
  score: async ({ who, n }: EventInput) =>
    freshness.invalidate(await updateScores(db, [{ fid: who.fid, score: (n % 50) / 50 }])),
  followChannel: ({ who }: EventInput) =>
    change(membershipInvalidation(CHANNEL_ID, who.fid), (session) =>
      insertChannelFollow(session, CHANNEL_ID, who.fid, new Date(now)),
    ),
  unfollowChannel: ({ who }: EventInput) =>
    change(membershipInvalidation(CHANNEL_ID, who.fid), (session) => deleteChannelFollow(session, CHANNEL_ID, who.fid)),
  joinChannel: ({ who, n }: EventInput) =>
    change(membershipInvalidation(CHANNEL_ID, who.fid), (session) =>
      upsertMember(session, {
        channelId: CHANNEL_ID,
        fid: who.fid,
        role: n % 2 ? 'moderator' : 'member',
        since: new Date(now),
      }),
    ),
  leaveChannel: ({ who }: EventInput) =>
    change(membershipInvalidation(CHANNEL_ID, who.fid), async (session) => {
      await deleteMember(session, CHANNEL_ID, who.fid, 'member');
      await deleteMember(session, CHANNEL_ID, who.fid, 'moderator');
    }),
  renameChannel: ({ n }: EventInput) =>
    change(invalidationOf([channelOf(CHANNEL_ID)]), (session) =>
      session.run('update channel set name = $2 where id = $1', [CHANNEL_ID, `Garden, again ${n}`]),
    ),
  addChannel: ({ n }: EventInput) => {
    const channel = { id: `added${n}`, parentUrl: `${CHANNEL_URL}/${n}`, name: `Added ${n}`, source: 'local' as const };
    const at = new Date(now + n);
    const tags = [CHANNEL_LIST, channelOf(channel.id), channelUrlOf(channel.parentUrl)];
    return change(invalidationOf(tags), (session) =>
      upsertChannels(session, [describeChannel({ ...channel, createdAt: at, updatedAt: at })]),
    );
  },
  countChannels: ({ n }: EventInput) => countChannelActivity({ db, now: now + n, changed: freshness.invalidate }),
  describeUrl: ({ n }: EventInput) =>
    createCrawler({
      db,
      reader: documentReader,
      fetchPage: async ({ url }) => ({
        url,
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from(`<title>Event ${n}</title>`),
      }),
      // Later than the last result is fresh.
      clock: () => now + n * 2 * 86_400_000,
      changed: freshness.invalidate,
      report: (what, error) => {
        throw new Error(what, { cause: error });
      },
    }).read(PAGE_URL),
  countTopics: ({ n, who }: EventInput) =>
    storeTopics(db, [newTopic(`topic_${n}`, [who.fid]), newTopic('event')], freshness.invalidate, new Date(now + n)),
  importChannels: ({ n }: EventInput) => importChannels(db, channelFile(n), freshness.invalidate),
});

export type NetworkEvents = ReturnType<typeof ingestEvents> & ReturnType<typeof ownEvents>;

/** @returns all events by name; each uses the same writer as the service */
export const networkEvents = (parts: EventDependencies): NetworkEvents => ({
  ...ingestEvents(parts),
  ...ownEvents(parts),
});
