import type { Author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import {
  ChannelWorld,
  channelId,
  channelRow,
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
    untried('a message and the verification that it needs, in one block', 'refused before it, taken after it'),
    untried('a transfer and a message of the former owner in one block, in both orders', 'the order decides'),
    untried('a message of the former owner in the block after the transfer', 'refused'),
    untried('the tenth and the eleventh moderator in one transaction', 'the eleventh is refused'),
    untried('a message that was merged before, in a later block', 'refused, without an event'),
    untried('an event of a block that a shard has already', 'nothing changes'),
    untried('a member more than the 8192 that a channel may have', 'refused'),
    untried('a hidden cast more than the 16384 that a channel may have', 'refused'),
    untried('the channels of an account in pages of 17, over 65 channels', '17, 17, 17, 14'),
  ],
});
