import { notFound } from '../../error.js';
import { readLimit } from '../option/limit.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import { day } from '../terminal/format.js';

const SOURCES = ['local', 'file', 'client', 'protocol'];
/** Rows of each list of one channel. */
const SHOWN = 100;

export const channelListCommand = defineCommand({
  name: 'channel list',
  summary: 'List channels, the newest first, with what decides about them',
  configure: (command) =>
    command
      .option('--source <source>', `only those of one source: ${SOURCES.join(', ')}`)
      .option('--limit <n>', 'at most so many', '100'),
  input: ({ options }) => {
    const source = options.source as string | undefined;
    if (source !== undefined && !SOURCES.includes(source)) {
      throw new UsageError(`--source takes ${SOURCES.join(', ')}, not "${source}".`);
    }
    return { source, limit: readLimit(options.limit) };
  },
  run: async ({ openDatabase }, { source, limit }, output) => {
    const { selectSummaries } = await import('../../store/channel/describe.js');
    const channels = await selectSummaries(await openDatabase(), source, limit);
    const none = 'There is no channel: `castellan channel create` makes one, `castellan channel import` reads a list.';
    output.list(channels, none, {
      Id: ({ id }) => id,
      Name: ({ name }) => name,
      Source: (one) => (one.isGone ? `${one.source}, gone` : one.source),
      // Digits of an account's number are not grouped.
      Lead: ({ leadFid }) => (leadFid === null ? '-' : String(leadFid)),
      Followers: ({ followers }) => followers,
      Members: ({ members }) => members,
      Made: ({ createdAt }) => day(createdAt),
    });
  },
});

export const channelShowCommand = defineCommand({
  name: 'channel show',
  summary: 'Show one channel: what decides about it, its URLs, members, open invites and restrictions',
  configure: (command) => command.argument('<id>', 'the channel, as `channel list` shows it'),
  input: ({ args }) => ({ id: String(args[0]).trim().toLowerCase().replace(/^\//, '') }),
  run: async ({ openDatabase }, { id }, output) => {
    const [{ selectChannelsById }, { selectChannelSpellings }, describe] = await Promise.all([
      import('../../store/channel/channel.js'),
      import('../../store/channel/spelling.js'),
      import('../../store/channel/describe.js'),
    ]);
    const db = await openDatabase();
    const [channel] = await selectChannelsById(db, [id]);
    if (channel === undefined)
      throw notFound(`There is no channel ${id}: \`castellan channel list\` shows them.`, 'id');
    output.table(
      ['What', 'Value'],
      [
        ['id', channel.id],
        ['name', channel.name],
        ['source', channel.source],
        ['lead', String(channel.leadFid ?? '-')],
        ['followers', channel.followerCount],
        ['members', channel.memberCount],
        ['made', day(channel.createdAt)],
        ...(await selectChannelSpellings(db, [id])).map((url) => [
          url === channel.parentUrl ? 'parent URL' : 'URL',
          url,
        ]),
      ],
    );
    output.list(await describe.selectMembersOf(db, id, SHOWN), 'It has no members.', {
      Member: ({ fid }) => String(fid),
      Role: ({ role }) => role,
      Since: ({ since }) => day(since),
    });
    output.list(await describe.selectInvitesOf(db, id, SHOWN), 'No invite is open.', {
      Invited: ({ fid }) => String(fid),
      Role: ({ role }) => role,
      By: ({ inviterFid }) => String(inviterFid),
      At: ({ invitedAt }) => day(invitedAt),
    });
    output.list(await describe.selectRestrictionsOf(db, id, SHOWN), 'Nobody is restricted.', {
      Account: ({ fid }) => String(fid),
      Restriction: ({ kind }) => kind,
      Since: ({ since }) => day(since),
    });
  },
});
