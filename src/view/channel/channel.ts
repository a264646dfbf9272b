import { type Channel, hostsOf } from '../../hydrate/channel.js';
import type { Page } from '../../hydrate/page.js';
import { displayedUsername } from '../../hydrate/user.js';
import { castText } from '../../protocol/cast-text.js';
import { viewHash, viewRange } from '../cast-content.js';
import { flatten, quote } from '../json.js';
import { isUri } from '../uri.js';
import { viewUserOf } from '../user.js';
import { viewUserDehydrated } from '../user-dehydrated.js';
import { viewChannelContext } from './channel-context.js';

/** @returns the name of a channel in the log */
export const channelName = (id: string): string => `channel ${id}`;

const member = (name: string, value: string | null): string => (value === null ? '' : `,"${name}":${quote(value)}`);

const viewExternalLink = ({ row: { external_link_url: url, external_link_title: title } }: Channel): string =>
  url === null ? '' : `,"external_link":{"url":${quote(url)}${member('title', title)}}`;

/** Everything but the description and accounts, without the closing brace. */
const render = (channel: Channel): string => {
  const { row } = channel;
  return (
    `{"object":"channel","id":${quote(row.id)},"url":${quote(row.url)},"name":${quote(row.name)},` +
    `"created_at":"${row.created_at.toISOString()}"${member('parent_url', isUri(row.parent_url) ? row.parent_url : null)}` +
    `${member('image_url', row.image_url)},"follower_count":${row.follower_count},"member_count":${row.member_count},` +
    `"moderator_fids":[${row.moderator_fids.join()}]${viewExternalLink(channel)}` +
    `${member('pinned_cast_hash', row.pinned_cast_hash && viewHash(row.pinned_cast_hash))}`
  );
};

/** Ranges are UTF-16 units of the description with names, as those of casts are. */
const viewDescription = ({ row }: Channel, page: Page): string => {
  if (row.description === null) return '';
  const mentions = row.description_mentions.slice(0, row.description_mention_positions.length);
  if (mentions.length === 0) return member('description', row.description);
  const { text, ranges } = castText(
    row.description,
    mentions.map((fid, index) => {
      const user = page.accounts.get(fid) ?? page.users.get(fid);
      const name = displayedUsername(user?.row ?? { username: null, fid });
      return { name, position: row.description_mention_positions[index] as number };
    }),
  );
  const profiles = mentions.map((fid) => viewUserDehydrated(fid, page));
  return (
    `${member('description', text)},"description_mentioned_profiles":[${profiles.join()}],` +
    `"description_mentioned_profiles_ranges":[${ranges.map(viewRange).join()}]`
  );
};

/** @param more members that follow those of every channel, each with a leading comma */
const viewWith = (channel: Channel, page: Page, more: string): string => {
  const { id, lead_fid } = channel.row;
  channel.json ??= flatten(render(channel));
  const user = lead_fid === null ? undefined : viewUserOf(lead_fid, page);
  const lead = user === undefined ? '' : `,"lead":${user}`;
  return `${channel.json}${viewDescription(channel, page)}${lead}${more}${viewChannelContext(id, page)}}`;
};

/**
 * Hosts and moderator are older names of the lead and the moderators, and of the lead (GAPS 1). A channel without a lead
 * and moderators has neither.
 */
const viewHosts = (channel: Channel, page: Page): string => {
  const { lead_fid } = channel.row;
  const hosts = hostsOf(channel).flatMap((fid) => viewUserOf(fid, page) ?? []);
  const moderator = lead_fid === null ? undefined : viewUserOf(lead_fid, page);
  return (
    (hosts.length === 0 ? '' : `,"hosts":[${hosts.join()}]`) +
    (moderator === undefined ? '' : `,"moderator":${moderator}`)
  );
};

/** @returns `Channel`, with its lead and moderators as far as these accounts are in the page */
export const viewChannel = (channel: Channel, page: Page): string => viewWith(channel, page, viewHosts(channel, page));

/** @returns `Channel` in a cast: without the deprecated members, which would repeat up to 12 accounts in each cast */
export const viewChannelOfCast = (channel: Channel, page: Page): string => viewWith(channel, page, '');
