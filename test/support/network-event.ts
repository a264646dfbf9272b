import { OnChainEvent, UserDataType } from '@farcaster/core';
import type { Change } from '../../src/cache/invalidating-write.js';
import type { Freshness } from '../../src/cache/freshness.js';
import { importChannels } from '../../src/ingest/file/channel-import.js';
import type { IngestItem } from '../../src/ingest/item.js';
import type { Ingest } from '../../src/ingest/pipeline.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { type Author, author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { deleteBans, insertBans } from '../../src/store/ban.js';
import { invalidationOf } from '../../src/store/change.js';
import type { Database } from '../../src/store/database.js';
import { deleteMute, insertMute } from '../../src/store/mute.js';
import { updateNotificationSeen } from '../../src/store/notification/seen.js';
import { updateScores } from '../../src/store/score.js';
import { bansOf, relationsOf, seenBy } from '../../src/store/tag.js';
import { CHANNEL_ID, PAGE_URL } from './read-query.js';
import { CHANNEL_URL, FIDS, SEED, type Seeded } from './seed.js';

/** What events are made with. */
export interface EventParts {
  readonly db: Database;
  readonly seeded: Seeded;
  readonly ingest: Ingest;
  readonly change: Change;
  readonly freshness: Freshness;
  /** Unix milliseconds from which on what is dated ahead is 300 s away. */
  readonly now: number;
  /** App whose bans, mutes and marks are written. */
  readonly appId: string;
  /** Takes each cast that is made, stored or not. */
  readonly made: (cast: Signed) => void;
}

/** Whom and what an event is about; `n` is another number for each. */
export interface Scene {
  readonly who: Author;
  readonly other: Author;
  readonly cast: Signed;
  readonly n: number;
}

/** Accounts that do things. */
export const PEOPLE = ['alice', 'bob', 'carol', 'dan', 'erin'] as const;
/** Fid that is named, followed and mentioned before it registers. */
export const NEWCOMER = 21;

const nameOf = (fid: number): string => PEOPLE.find((name) => FIDS[name] === fid) ?? 'newcomer';

/** @returns the event, with its key made one of an auth address */
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

/** Messages, and what chains and name servers tell, as they come in through ingest. */
const ingestEvents = ({ seeded, ingest, made, now }: EventParts) => {
  const submit = (...messages: readonly (Signed | IngestItem)[]) =>
    ingest.submit(
      messages.map((message) => ('item' in message ? message.item : message)),
      { source: 'local', announce: false },
    );
  const publish = (cast: Signed, ...before: Signed[]) => {
    made(cast);
    return submit(...before, cast);
  };
  const newcomer = author({ seed: SEED, fid: NEWCOMER, clock: seeded.clock });
  const authorOf = (cast: Signed): Author => {
    const name = PEOPLE.find((one) => FIDS[one] === cast.fid);
    return name === undefined ? newcomer : seeded[name];
  };
  const data = (type: UserDataType, value: (scene: Scene) => string) => (scene: Scene) =>
    submit(scene.who.userData(type, value(scene)));
  let keys = 10;
  const signed = async ({ who, other, n }: Scene) => {
    const key = who.withKey(++keys);
    await submit(await key.addSigner({ requester: { fid: other.fid, wallet: other.custody } }));
    await publish(key.cast({ text: `event ${n}` }));
    await submit(key.follow(other.fid), key.react('like', seeded.casts.hello));
    return key;
  };
  let last: Author | undefined;
  return {
    cast: ({ who, n }: Scene) => publish(who.cast({ text: `event ${n}`, embeds: [PAGE_URL] })),
    castInChannel: ({ who, n }: Scene) => publish(who.cast({ text: `event ${n} in /garden`, parent: CHANNEL_URL })),
    mention: ({ who, other, n }: Scene) => publish(who.cast({ text: [`event ${n} `, other.fid, ' and ', NEWCOMER] })),
    reply: ({ who, cast, n }: Scene) => publish(who.cast({ text: `event ${n}`, parent: cast })),
    quote: ({ who, cast, n }: Scene) => publish(who.cast({ text: `event ${n}`, embeds: [cast] })),
    removeCast: ({ cast }: Scene) => submit(authorOf(cast).removeCast(cast.hash)),
    castAfterReactions: ({ who, other, n }: Scene) => {
      const cast = other.cast({ text: `event ${n}` });
      return publish(cast, who.react('like', cast), who.react('recast', cast));
    },
    replyBeforeParent: async ({ who, other, n }: Scene) => {
      const parent = other.cast({ text: `event ${n}`, parent: CHANNEL_URL });
      await publish(who.cast({ text: `event ${n}, early`, parent }));
      await publish(parent);
    },
    like: ({ who, cast }: Scene) => submit(who.react('like', cast), who.react('like', PAGE_URL)),
    unlike: ({ who, cast }: Scene) => submit(who.unreact('like', cast), who.unreact('like', PAGE_URL)),
    recast: ({ who, cast }: Scene) => submit(who.react('recast', cast)),
    unrecast: ({ who, cast }: Scene) => submit(who.unreact('recast', cast)),
    follow: ({ who, other }: Scene) => submit(who.follow(other.fid)),
    followNewcomer: ({ who }: Scene) => submit(who.follow(NEWCOMER)),
    unfollow: ({ who, other }: Scene) => submit(who.unfollow(other.fid)),
    compactFollows: ({ who, other }: Scene) => submit(who.compactLinks('follow', [other.fid, NEWCOMER])),
    block: ({ who, other }: Scene) => submit(who.link('block', other.fid)),
    unblock: ({ who, other }: Scene) => submit(who.unlink('block', other.fid)),
    display: data(UserDataType.DISPLAY, ({ n }) => `event ${n}`),
    picture: data(UserDataType.PFP, ({ n }) => `https://image.example/${n}.png`),
    bio: data(UserDataType.BIO, ({ other, n }) => `${n}: @${nameOf(other.fid)}, @newcomer in /garden`),
    location: data(UserDataType.LOCATION, ({ n }) => (n % 3 === 0 ? '' : `geo:38.${10 + (n % 80)},-9.14`)),
    account: data(UserDataType.TWITTER, ({ n }) => (n % 2 ? 'someone' : '')),
    unname: data(UserDataType.USERNAME, () => ''),
    name: data(UserDataType.USERNAME, ({ who }) => nameOf(who.fid)),
    transferName: async ({ who, other }: Scene) => {
      await submit(await who.fnameProof(nameOf(other.fid)));
      await submit(who.userData(UserDataType.USERNAME, nameOf(other.fid)));
    },
    returnName: async ({ who }: Scene) => {
      await submit(await who.fnameProof(nameOf(who.fid)));
      await submit(who.userData(UserDataType.USERNAME, nameOf(who.fid)));
    },
    verify: async ({ who }: Scene) => submit(await who.verifyEthereum(who.wallet(1))),
    verifyOnSolana: ({ who }: Scene) => submit(who.verifySolana(who.solanaKey(0))),
    unverify: ({ who }: Scene) => submit(who.removeVerification(0, who.wallet(1).address)),
    transferAccount: ({ who, n }: Scene) => submit(who.transfer(n % 2 ? 2 : 0)),
    addSigner: async (scene: Scene) => {
      last = await signed(scene);
    },
    changeApp: async ({ who }: Scene) =>
      last === undefined
        ? undefined
        : submit(await last.addSigner({ requester: { fid: who.fid, wallet: who.custody } })),
    removeSigner: () => (last === undefined ? undefined : submit(last.removeSigner())),
    authKey: async ({ who, other }: Scene) => {
      const requester = { fid: other.fid, wallet: other.custody };
      last = who.withKey(++keys);
      await submit(asAuthKey(await last.addSigner({ requester })));
    },
    buyPro: ({ who }: Scene) => submit(who.buyPro(30)),
    rent: ({ who }: Scene) => submit(who.rent(1)),
    lend: ({ who, other }: Scene) => submit(who.lendStorage(other.fid, 1)),
    register: async ({ n }: Scene) => {
      await submit(newcomer.register(), newcomer.rent(1), await newcomer.addSigner());
      await submit(await newcomer.fnameProof('newcomer'), newcomer.userData(UserDataType.USERNAME, 'newcomer'));
      await publish(newcomer.cast({ text: `event ${n}` }));
    },
    ahead: async ({ who, other, cast }: Scene) => {
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

/** What is no message: it is written together with its invalidation, or tells it. */
const ownEvents = ({ db, change, freshness, appId, now }: EventParts) => ({
  mute: ({ who, other }: Scene) =>
    change(invalidationOf([relationsOf(who.fid)]), (session) =>
      insertMute(session, { fid: who.fid, appId, mutedFid: other.fid }, new Date()),
    ),
  unmute: ({ who, other }: Scene) =>
    change(invalidationOf([relationsOf(who.fid)]), (session) =>
      deleteMute(session, { fid: who.fid, appId, mutedFid: other.fid }),
    ),
  ban: ({ who }: Scene) =>
    change(invalidationOf([bansOf(appId)]), (session) => insertBans(session, appId, [who.fid], new Date())),
  unban: () => change(invalidationOf([bansOf(appId)]), (session) => deleteBans(session, appId, Object.values(FIDS))),
  see: ({ who }: Scene) =>
    change(invalidationOf([seenBy(who.fid)]), (session) =>
      updateNotificationSeen(session, { fid: who.fid, appId }, ['likes', 'follows', 'mentions'], fromUnixMs(now)),
    ),
  score: async ({ who, n }: Scene) =>
    freshness.invalidate(await updateScores(db, [{ fid: who.fid, score: (n % 50) / 50 }])),
  importChannels: ({ n }: Scene) => importChannels(db, channelFile(n), freshness.invalidate),
});

export type NetworkEvents = ReturnType<typeof ingestEvents> & ReturnType<typeof ownEvents>;

/** @returns what may happen, by name; each goes through the writer that it has in the service */
export const networkEvents = (parts: EventParts): NetworkEvents => ({ ...ingestEvents(parts), ...ownEvents(parts) });
