import { notFound } from '../../error.js';
import { readLimit } from '../option/limit.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import { day, digits } from '../terminal/format.js';
import type { JsonObject } from '../terminal/output.js';
import { formatTable, tableOf } from '../terminal/table.js';

const SOURCES = ['local', 'file', 'client', 'protocol'];
/** Rows of each list of one channel. */
const SHOWN = 100;

export const channelListCommand = defineCommand({
  name: 'channel list',
  summary: 'List channels, the newest first, with what decides about them',
  examples: [
    ['castellan channel list', 'list the newest channels'],
    ["castellan channel list --source local --json | jq -r '.[].id'", 'print the ids of those made here'],
  ],
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
    const channels = (await selectSummaries(await openDatabase(), source, limit)).map((one) => ({
      id: one.id,
      name: one.name,
      source: one.source,
      gone: one.isGone,
      lead_fid: one.leadFid,
      follower_count: one.followers,
      member_count: one.members,
      created_at: one.createdAt,
    }));
    const none = 'There is no channel: `castellan channel create` makes one, `castellan channel import` reads a list.';
    output.list(channels, none, {
      Id: 'id',
      Name: 'name',
      Source: ({ source, gone }) => (gone ? `${source}, gone` : source),
      Lead: (one) => digits(one.lead_fid),
      Followers: 'follower_count',
      Members: 'member_count',
      Made: (one) => day(one.created_at),
    });
  },
});

interface ShownChannel extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly lead_fid: number | null;
  readonly follower_count: number;
  readonly member_count: number;
  readonly created_at: Date;
  readonly parent_url: string;
  readonly urls: readonly string[];
  /** At most {@link SHOWN} of each. */
  readonly members: readonly { readonly fid: number; readonly role: string; readonly since: Date }[];
  readonly invites: readonly {
    readonly fid: number;
    readonly role: string;
    readonly inviter_fid: number;
    readonly invited_at: Date;
  }[];
  readonly restrictions: readonly { readonly fid: number; readonly kind: string; readonly since: Date }[];
}

const linesOf = (channel: ShownChannel): string[] => [
  ...formatTable(
    ['What', 'Value'],
    [
      ['id', channel.id],
      ['name', channel.name],
      ['source', channel.source],
      ['lead', digits(channel.lead_fid)],
      ['followers', channel.follower_count],
      ['members', channel.member_count],
      ['made', day(channel.created_at)],
      ...channel.urls.map((url) => [url === channel.parent_url ? 'parent URL' : 'URL', url]),
    ],
  ),
  ...tableOf(channel.members, {
    Member: ({ fid }) => digits(fid),
    Role: 'role',
    Since: ({ since }) => day(since),
  }),
  ...tableOf(channel.invites, {
    Invited: ({ fid }) => digits(fid),
    Role: 'role',
    By: (one) => digits(one.inviter_fid),
    At: (one) => day(one.invited_at),
  }),
  ...tableOf(channel.restrictions, {
    Account: ({ fid }) => digits(fid),
    Restriction: 'kind',
    Since: ({ since }) => day(since),
  }),
];

export const channelShowCommand = defineCommand({
  name: 'channel show',
  summary: 'Show one channel: what decides about it, its URLs, members, open invites and restrictions',
  examples: [
    ['castellan channel show garden', 'show all about it'],
    ["castellan channel show garden --json | jq '.members[].fid'", 'print its members'],
  ],
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
    const [urls, members, invites, restrictions] = await Promise.all([
      selectChannelSpellings(db, [id]),
      describe.selectMembersOf(db, id, SHOWN),
      describe.selectInvitesOf(db, id, SHOWN),
      describe.selectRestrictionsOf(db, id, SHOWN),
    ]);
    const value = {
      id: channel.id,
      name: channel.name,
      source: channel.source,
      lead_fid: channel.leadFid,
      follower_count: channel.followerCount,
      member_count: channel.memberCount,
      created_at: channel.createdAt,
      parent_url: channel.parentUrl,
      urls,
      members: members.map(({ fid, role, since }) => ({ fid, role, since })),
      invites: invites.map((one) => ({
        fid: one.fid,
        role: one.role,
        inviter_fid: one.inviterFid,
        invited_at: one.invitedAt,
      })),
      restrictions: restrictions.map(({ fid, kind, since }) => ({ fid, kind, since })),
    };
    output.result(value, linesOf(value));
    if (members.length === 0) output.note('It has no members.');
    if (invites.length === 0) output.note('No invite is open.');
    if (restrictions.length === 0) output.note('Nobody is restricted.');
  },
});
