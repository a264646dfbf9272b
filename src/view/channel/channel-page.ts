import type { Channel } from '../../hydrate/channel.js';
import type { Page } from '../../hydrate/page.js';
import { requireItem, viewItems } from '../items.js';
import { toBytes, viewNext } from '../json.js';
import { viewUserOf } from '../user.js';
import { viewUserDehydrated } from '../user-dehydrated.js';
import { channelName, viewChannel } from './channel.js';
import { viewChannelDehydrated } from './channel-dehydrated.js';

const viewChannelItems = (ids: readonly string[], page: Page): string[] =>
  viewItems(ids, page, channelName, (id) => {
    const channel = page.channels.get(id);
    return channel && viewChannel(channel, page);
  });

/** @returns `ChannelResponse`. @throws Error if the channel cannot be rendered */
export const viewChannelResponse = (id: string, page: Page): Buffer =>
  toBytes('{"channel":', [requireItem(viewChannelItems([id], page), channelName(id))], '}');

/** @returns `ChannelResponseBulk`, in the order of `ids`; channels that are not in the page are left out */
export const viewChannels = (ids: readonly string[], page: Page): Buffer =>
  toBytes('{"channels":[', viewChannelItems(ids, page), ']}');

/** @returns `ChannelListResponse`, in the order of `ids`. @param cursor of the next page; null on the last one */
export const viewChannelList = (ids: readonly string[], page: Page, cursor: string | null): Buffer =>
  toBytes(`{${viewNext(cursor)},"channels":[`, viewChannelItems(ids, page), ']}');

/** Casts in one channel, by period. */
interface Activity {
  readonly id: string;
  readonly castCount1d: number;
  readonly castCount7d: number;
  readonly castCount30d: number;
}

/** @returns `TrendingChannelResponse` */
export const viewTrendingChannels = (activities: readonly Activity[], page: Page, cursor: string | null): Buffer => {
  const items = viewItems(
    activities,
    page,
    ({ id }) => channelName(id),
    (activity) => {
      const channel = page.channels.get(activity.id);
      return (
        channel &&
        `{"object":"channel_activity","cast_count_1d":"${activity.castCount1d}",` +
          `"cast_count_7d":"${activity.castCount7d}","cast_count_30d":"${activity.castCount30d}",` +
          `"channel":${viewChannel(channel, page)}}`
      );
    },
  );
  return toBytes(`{${viewNext(cursor)},"channels":[`, items, ']}');
};

interface Member {
  readonly fid: number;
  readonly role: string;
}

/** @returns `ChannelMemberListResponse` of one channel, which it shows by name only. */
export const viewChannelMembers = (
  channel: Channel,
  members: readonly Member[],
  page: Page,
  cursor: string | null,
): Buffer => {
  const { id } = channel.row;
  const dehydrated = viewChannelDehydrated(channel, page);
  const nameOf = ({ fid }: Member): string => `member ${fid} of channel ${id}`;
  const items = viewItems(members, page, nameOf, ({ fid, role }) => {
    const user = viewUserOf(fid, page);
    return user && `{"object":"member","role":"${role}","user":${user},"channel":${dehydrated}}`;
  });
  return toBytes(`{${viewNext(cursor)},"members":[`, items, ']}');
};

/** @returns `ChannelMemberListResponse` of one account, which it shows by name only. */
export const viewMemberships = (
  fid: number,
  memberships: readonly { readonly id: string; readonly role: string }[],
  page: Page,
  cursor: string | null,
): Buffer => {
  const user = viewUserDehydrated(fid, page);
  const items = viewItems(
    memberships,
    page,
    ({ id }) => channelName(id),
    ({ id, role }) => {
      const channel = page.channels.get(id);
      return channel && `{"object":"member","role":"${role}","user":${user},"channel":${viewChannel(channel, page)}}`;
    },
  );
  return toBytes(`{${viewNext(cursor)},"members":[`, items, ']}');
};

interface Invite {
  readonly id: string;
  readonly fid: number;
  readonly inviter: number;
  readonly role: string;
}

/** @returns `ChannelMemberInviteListResponse` */
export const viewInvites = (invites: readonly Invite[], page: Page, cursor: string | null): Buffer => {
  const nameOf = ({ id, fid }: Invite): string => `invite of ${fid} to channel ${id}`;
  const items = viewItems(invites, page, nameOf, ({ id, fid, inviter, role }) => {
    const [invited, by] = [viewUserOf(fid, page), viewUserOf(inviter, page)];
    return invited && by && `{"channel_id":"${id}","role":"${role}","inviter":${by},"invited":${invited}}`;
  });
  return toBytes(`{${viewNext(cursor)},"invites":[`, items, ']}');
};
