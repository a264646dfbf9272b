import { type Call, CallError, read } from '../call.js';
import { type ChannelJson, type UserJson, viewChannel, viewProfile, viewUser } from '../entity.js';
import { channelId, choice, cursor, fid, input, limit, optional, text, viewerFid } from '../input.js';
import { listPages } from '../list.js';
import { withinBudget } from '../result.js';
import { readTool } from '../tool.js';

/** @returns a profile by fid or username */
const findProfile = async (
  call: Call,
  who: { readonly fid?: number | undefined; readonly username?: string | undefined },
  viewer_fid: number | undefined,
): Promise<UserJson> => {
  if (who.fid !== undefined) {
    const { users } = await read<{ users: UserJson[] }>(call, '/v2/social/user/bulk/', { fids: who.fid, viewer_fid });
    const [user] = users;
    if (user === undefined) throw new CallError(404, 'NotFound', `There is no account ${who.fid} here.`);
    return user;
  }
  if (who.username === undefined) throw new CallError(400, 'InvalidField', 'Send either fid or username.');
  const query = { username: who.username.replace(/^@/, ''), viewer_fid };
  return (await read<{ user: UserJson }>(call, '/v2/social/user/by_username/', query)).user;
};

export const readProfile = readTool({
  name: 'read_profile',
  title: 'Read a profile',
  description:
    'Read the profile of a person: name, bio, location, addresses, counts. With viewer_fid it says whether the viewer and this person follow or block each other.',
  input: input({
    fid: optional(fid('The account; or send username.')),
    username: optional(text(200, 'The exact username, when the fid is not known.')),
    viewer_fid: optional(viewerFid),
  }),
  run: async ({ fid: account, username, viewer_fid }, call) => {
    const user = await findProfile(call, { fid: account, username }, viewer_fid);
    return withinBudget(`The profile of account ${user.fid}.`, (cut) => viewProfile(user, cut)) as string;
  },
});

interface Entry {
  readonly role?: string;
  readonly user?: UserJson;
  readonly invited?: UserJson;
}

const LISTS = {
  members: { path: '/v2/social/channel/member/list/', by: 'channel_id', items: 'members' },
  invites: { path: '/v2/social/channel/member/invite/list/', by: 'channel_id', items: 'invites' },
  followers: { path: '/v2/social/channel/followers/', by: 'id', items: 'users' },
} as const;

export const readChannel = readTool({
  name: 'read_channel',
  title: 'Read a channel',
  description:
    'Read a channel: description, lead, moderators, counts; or list its members with their roles, its open invites, or its followers. read_feed reads its casts.',
  input: input({
    channel_id: channelId,
    list: optional(choice(['members', 'invites', 'followers'], 'Lists these instead of the channel itself.')),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(25, 15)),
    cursor: optional(cursor),
  }),
  run: async ({ channel_id, list, viewer_fid, limit: most = 15, cursor: after }, call) => {
    if (list === undefined) {
      const query = { id: channel_id, viewer_fid };
      const { channel } = await read<{ channel: ChannelJson }>(call, '/v2/social/channel/', query);
      return withinBudget('The channel.', (cut) => viewChannel(channel, cut)) as string;
    }
    const { path, by, items } = LISTS[list];
    return listPages({
      call,
      path,
      query: { [by]: channel_id, cursor: after },
      itemsOf: (body: Record<string, unknown>) => body[items] as Entry[],
      limit: most,
      view: (entry, cut) => ({
        role: entry.role,
        ...viewUser(entry.user ?? entry.invited ?? (entry as UserJson), cut),
      }),
      what: list,
    });
  },
});
