import type { IngestItem } from '../../src/ingest/item.js';
import type { Author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import {
  ChannelWorld,
  channelId,
  channelRow,
  NO_CHANNEL_CALLS,
  showMember,
  showMembers,
  showMemberships,
  showMetadata,
  showModerations,
  showOwner,
  showPin,
} from './channel-world.js';
import { cases, type Front } from './front.js';

interface State {
  readonly front: Front;
  readonly world: ChannelWorld;
  readonly owner: Author;
  readonly heir: Author;
  readonly moderator: Author;
  readonly member: Author;
  readonly leaver: Author;
}

const KEY = 'scenario';
const ID = channelId(KEY);
const row = channelRow<State>;
const [PINNED, HIDDEN] = [new Uint8Array(20).fill(0x91), new Uint8Array(20).fill(0x92)];

/** @returns what happens before a case, once */
const after =
  (happens: (state: State) => readonly Signed[] | Promise<unknown>, request: (state: State) => object) =>
  async (state: State, surface: string): Promise<object> => {
    if (surface === 'grpc') {
      const messages = await happens(state);
      if (Array.isArray(messages)) await state.world.send(...(messages as Signed[]));
    }
    return request(state);
  };
const ofChannel = () => ({ channelId: ID });
const memberOf = (who: 'owner' | 'heir' | 'moderator' | 'member' | 'leaver') => (state: State) => ({
  ...{ channelId: ID, fid: state[who].fid },
});

const BLOCKS = 'It is about blocks, shards and their tries, which this service does not have.';
const CAPS =
  'It takes so many messages that it is tried on the rules alone (`src/protocol/channel/authority.test.ts`).';

/** Stores items of which some may be refused, in one batch. */
const inOneBatch = (front: Front, ...items: readonly (Signed | IngestItem)[]) =>
  front.network.app.core.ingest.submit(
    items.map((item) => ('item' in item ? item.item : item)),
    { source: 'hub', announce: true },
  );
const untried = (title: string, theirs: string) => ({ title, theirs, nothing: BLOCKS });

export const SNAPCHAIN_CHANNEL_SCENARIO = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-channel-scenario',
  over: 'grpc',
  state: async (front): Promise<State> => {
    const world = new ChannelWorld(front);
    const people = ['owner', 'heir', 'moderator', 'member', 'leaver'] as const;
    const made: Author[] = [];
    for (const name of people) made.push(await front.account(name, 3));
    const [owner, heir, moderator, member, leaver] = made as [Author, Author, Author, Author, Author];
    await world.register(owner.wallet(1).address, [KEY]);
    return { front, world, owner, heir, moderator, member, leaver };
  },
  rows: [
    row('a new channel: no member', ['getChannelMember', 'NONE'], memberOf('member'), showMember),
    row('a new channel: nothing pinned', ['getChannelPin', 'none'], ofChannel, showPin),
    row('a new channel: nothing hidden', ['getChannelModerations', '[]'], ofChannel, showModerations),
    row(
      'its owner opens it',
      ['getChannelMetadata', 'open, MEMBERS_ONLY, OPEN'],
      after(async ({ front, world, owner }) => {
        await front.store(await owner.verifyEthereum(owner.wallet(1)));
        await world.send(world.update(owner, KEY, { 2: 'open', 8: 1 }));
      }, ofChannel),
      showMetadata,
    ),
    row(
      'an account joins an open channel by itself',
      ['getChannelMember', 'MEMBER'],
      after(({ world, member }) => [world.member(member, KEY, member.fid, 'add')], memberOf('member')),
      showMember,
    ),
    row(
      'the owner adds a moderator and a member',
      ['getChannelMembers', '[moderator MODERATOR, member MEMBER, leaver MEMBER]'],
      after(
        ({ world, owner, moderator, leaver }) => [
          world.member(owner, KEY, moderator.fid, 'addModerator'),
          world.member(owner, KEY, leaver.fid, 'add'),
        ],
        ofChannel,
      ),
      showMembers,
    ),
    row(
      'the moderator pins',
      ['getChannelPin', '0x91 by moderator'],
      after(
        ({ world, moderator }) => [world.pin(moderator, KEY, PINNED), world.moderate(moderator, KEY, HIDDEN)],
        ofChannel,
      ),
      showPin,
    ),
    row('the moderator hides', ['getChannelModerations', '[0x92 HIDE by moderator]'], ofChannel, showModerations),
    row(
      'the moderator bans a member',
      ['getChannelMember', 'BANNED'],
      after(({ world, moderator, member }) => [world.member(moderator, KEY, member.fid, 'ban')], memberOf('member')),
      showMember,
    ),
    row(
      'the banned one among its channels',
      ['getChannelMembershipsByFid', '[BANNED]'],
      memberOf('member'),
      showMemberships,
    ),
    row(
      'the owner removes a member',
      ['getChannelMember', 'REMOVED'],
      after(({ world, owner, leaver }) => [world.member(owner, KEY, leaver.fid, 'remove')], memberOf('leaver')),
      showMember,
    ),
    row(
      'transferred to an address that nobody verified: no owner',
      ['getChannelOwner', 'nobody'],
      after(
        ({ world, heir }) => world.register(heir.wallet(1).address, [KEY], { type: 3 }),
        () => ({ channelKey: KEY }),
      ),
      showOwner,
    ),
    row('without an owner the members stay', ['getChannelMember', 'MODERATOR'], memberOf('moderator'), showMember),
    row(
      'without an owner: the former owner, and the next one before it verified, change nothing',
      ['getChannelMetadata', 'open, MEMBERS_ONLY, OPEN'],
      after(
        ({ world, owner, heir }) => [
          world.update(owner, KEY, { 2: 'stale' }),
          world.update(heir, KEY, { 2: 'unverified' }),
        ],
        ofChannel,
      ),
      showMetadata,
    ),
    row(
      'without an owner: a moderator pins nothing',
      ['getChannelPin', '0x91 by moderator'],
      after(({ world, moderator }) => [world.pin(moderator, KEY, new Uint8Array(20).fill(0x93))], ofChannel),
      showPin,
    ),
    row(
      'without an owner: a moderator may leave',
      ['getChannelMember', 'REMOVED'],
      after(({ world, moderator }) => [world.member(moderator, KEY, moderator.fid, 'remove')], memberOf('moderator')),
      showMember,
    ),
    row(
      'the next owner is no member',
      ['getChannelMember', 'NONE'],
      after(async ({ front, heir }) => front.store(await heir.verifyEthereum(heir.wallet(1))), memberOf('heir')),
      showMember,
    ),
    row(
      'the next owner describes the channel',
      ['getChannelMetadata', 'managed by new owner, MEMBERS_ONLY, APPROVAL'],
      after(({ world, heir }) => [world.update(heir, KEY, { 2: 'managed by new owner', 8: 2 })], ofChannel),
      showMetadata,
    ),
    row(
      'a moderator who is banned cannot have its role taken instead',
      ['getChannelMember', 'BANNED'],
      after(
        ({ world, heir, moderator }) => [
          world.member(heir, KEY, moderator.fid, 'addModerator'),
          world.member(heir, KEY, moderator.fid, 'ban'),
          world.member(heir, KEY, moderator.fid, 'removeModerator'),
        ],
        memberOf('moderator'),
      ),
      showMember,
    ),
    row(
      'a moderator is no member that a moderator removes',
      ['getChannelMember', 'MODERATOR'],
      after(
        ({ world, heir, moderator, leaver }) => [
          world.member(heir, KEY, moderator.fid, 'unban'),
          world.member(heir, KEY, moderator.fid, 'addModerator'),
          world.member(heir, KEY, leaver.fid, 'addModerator'),
          world.member(moderator, KEY, leaver.fid, 'remove'),
        ],
        memberOf('leaver'),
      ),
      showMember,
    ),
    row(
      'an account of which nothing was said is neither unbanned nor removed',
      ['getChannelMember', 'NONE'],
      after(
        ({ world, heir, owner }) => [
          world.member(heir, KEY, owner.fid, 'unban'),
          world.member(heir, KEY, owner.fid, 'remove'),
        ],
        memberOf('owner'),
      ),
      showMember,
    ),
    row(
      'a banned one does not come back by itself',
      ['getChannelMember', 'BANNED'],
      after(({ world, member }) => [world.member(member, KEY, member.fid, 'add')], memberOf('member')),
      showMember,
    ),
    row(
      'the owner is not banned',
      ['getChannelMember', 'NONE'],
      after(({ world, moderator, heir }) => [world.member(moderator, KEY, heir.fid, 'ban')], memberOf('heir')),
      showMember,
    ),
    ...([19, 21] as const).map((width) =>
      row(
        `a pin of ${width} bytes changes nothing`,
        ['getChannelPin', '0x91 by moderator'],
        after(({ world, heir }) => [world.pin(heir, KEY, new Uint8Array(width).fill(0x27))], ofChannel),
        showPin,
      ),
    ),
    ...([19, 21] as const).map((width) =>
      row(
        `a hidden cast of ${width} bytes changes nothing`,
        ['getChannelModerations', '[0x92 HIDE by moderator]'],
        after(({ world, heir }) => [world.moderate(heir, KEY, new Uint8Array(width).fill(0x28))], ofChannel),
        showModerations,
      ),
    ),
    row(
      'an empty pin is none',
      ['getChannelPin', 'none'],
      after(({ world, heir }) => [world.pin(heir, KEY)], ofChannel),
      showPin,
    ),
    untried('one event for each channel message of a block, in each shard', 'the same rows and tries'),
    untried('a block with messages of many kinds', 'the same tries in all shards'),
    row(
      'a message before the verification that it needs, in one batch',
      ['getChannelMetadata', 'no name, MEMBERS_ONLY, APPROVAL'],
      after(
        async ({ front, world, owner }) => {
          await world.register(owner.wallet(2).address, ['early']);
          const early = world.update(owner, 'early', { 2: 'too early' });
          await inOneBatch(front, early, await owner.verifyEthereum(owner.wallet(2)));
        },
        () => ({ channelId: channelId('early') }),
      ),
      showMetadata,
    ),
    row(
      'a message after the verification that it needs, in one batch',
      ['getChannelMetadata', 'in time, MEMBERS_ONLY, APPROVAL'],
      after(
        async ({ front, world, owner }) => {
          await world.register(owner.wallet(3).address, ['late']);
          const verification = await owner.verifyEthereum(owner.wallet(3));
          await inOneBatch(front, verification, world.update(owner, 'late', { 2: 'in time' }));
        },
        () => ({ channelId: channelId('late') }),
      ),
      showMetadata,
    ),
    row(
      'a transfer and then a message of the former owner, in one batch',
      ['getChannelMetadata', 'in time, MEMBERS_ONLY, APPROVAL'],
      after(
        async ({ front, world, owner, heir }) => {
          const transfer = world.registration(heir.wallet(2).address, 'late', { type: 3 });
          await inOneBatch(front, transfer, world.update(owner, 'late', { 2: 'after the transfer' }));
        },
        () => ({ channelId: channelId('late') }),
      ),
      showMetadata,
    ),
    row(
      'a message of the owner and then a transfer, in one batch',
      ['getChannelMetadata', 'before the transfer, MEMBERS_ONLY, APPROVAL'],
      after(
        async ({ front, world, owner, heir }) => {
          const update = world.update(owner, 'early', { 2: 'before the transfer' });
          await inOneBatch(front, update, world.registration(heir.wallet(2).address, 'early', { type: 3 }));
        },
        () => ({ channelId: channelId('early') }),
      ),
      showMetadata,
    ),
    row(
      'a message of the former owner in the batch after the transfer',
      ['getChannelMetadata', 'before the transfer, MEMBERS_ONLY, APPROVAL'],
      after(
        ({ world, owner }) => [world.update(owner, 'early', { 2: 'one batch later' })],
        () => ({ channelId: channelId('early') }),
      ),
      showMetadata,
    ),
    row(
      'ten moderators, and no eleventh in the same batch',
      ['getChannelMembers', '10'],
      after(
        async ({ front, world, heir }) => {
          await world.register(heir.wallet(1).address, ['moderated']);
          const fids = Array.from({ length: 11 }, (_, index) => 900_000 + index);
          await inOneBatch(front, ...fids.map((fid) => world.member(heir, 'moderated', fid, 'addModerator')));
        },
        () => ({ channelId: channelId('moderated'), stateFilter: 'CHANNEL_MEMBER_STATE_MODERATOR' }),
      ),
      ({ members }) => String(members.length),
    ),
    {
      title: 'a message that was merged before',
      theirs: 'INVALID_ARGUMENT bad_request.duplicate',
      ours: 'INVALID_ARGUMENT bad_request.validation_failure',
      reason: 'No public network takes messages of channels yet, so none is taken here; those of a hub are read.',
      call: 'submitMessage',
      request: async ({ world, heir }, surface) => {
        const message = world.member(heir, 'moderated', surface === 'grpc' ? 910_001 : 910_002, 'add');
        await world.send(message);
        return message;
      },
    },
    row(
      'the channels of an account in pages of 17, over 65 channels: the first page',
      ['getChannelMembershipsByFid', '17'],
      after(
        async ({ front, world, heir, leaver }) => {
          const keys = Array.from({ length: 65 }, (_, index) => `page-${index}`);
          await inOneBatch(front, ...keys.map((key) => world.registration(heir.wallet(1).address, key)));
          await inOneBatch(front, ...keys.map((key) => world.member(heir, key, leaver.fid + 10_000, 'add')));
        },
        ({ leaver }) => ({ fid: leaver.fid + 10_000, pageSize: 17 }),
      ),
      ({ memberships }) => String(memberships.length),
    ),
    {
      ...{ title: 'the channels of an account in pages of 17, over 65 channels: all pages', theirs: '17, 17, 17, 14' },
      ...{
        call: 'getChannelMembershipsByFid',
        ours: 'UNIMPLEMENTED',
        other: '17, 17, 17, 14',
        reason: NO_CHANNEL_CALLS,
      },
      run: async ({ front, leaver }, surface) => {
        const request = { fid: leaver.fid + 10_000 };
        if (surface === 'grpc') return front.ask({ name: 'getChannelMembershipsByFid', request }, surface);
        const sizes: number[] = [];
        for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
          const query: object = { ...request, pageSize: 17, pageToken };
          const { body } = await front.http({
            path: 'channelMembershipsByFid',
            query: query as Record<string, unknown>,
          });
          sizes.push(body.memberships.length);
          pageToken = body.nextPageToken;
        }
        return sizes.join(', ');
      },
    },
    untried('an event of a block that a shard has already', 'nothing changes'),
    { title: 'a member more than the 8192 that a channel may have', theirs: 'refused', nothing: CAPS },
    { title: 'a hidden cast more than the 16384 that a channel may have', theirs: 'refused', nothing: CAPS },
  ],
});
