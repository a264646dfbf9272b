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

const viewExternalLink = ({ row: { externalLinkUrl: url, externalLinkTitle: title } }: Channel): string =>
  url === null ? '' : `,"external_link":{"url":${quote(url)}${member('title', title)}}`;

/** Everything but the description and accounts, without the closing brace. */
const render = (channel: Channel): string => {
  const { row } = channel;
  return (
    `{"object":"channel","id":${quote(row.id)},"url":${quote(row.url)},"name":${quote(row.name)},` +
    `"created_at":"${row.createdAt.toISOString()}"${member('parent_url', isUri(row.parentUrl) ? row.parentUrl : null)}` +
    `${member('image_url', row.imageUrl)},"follower_count":${row.followerCount},"member_count":${row.memberCount},` +
    `"moderator_fids":[${row.moderatorFids.join()}]${viewExternalLink(channel)}` +
    `${member('pinned_cast_hash', row.pinnedCastHash && viewHash(row.pinnedCastHash))}`
  );
};

/** Ranges are UTF-16 units of the description with names, as those of casts are. */
const viewDescription = ({ row }: Channel, page: Page): string => {
  if (row.description === null) return '';
  const mentions = row.descriptionMentions.slice(0, row.descriptionMentionPositions.length);
  if (mentions.length === 0) return member('description', row.description);
  const { text, ranges } = castText(
    row.description,
    mentions.map((fid, index) => {
      const user = page.accounts.get(fid) ?? page.users.get(fid);
      const name = displayedUsername(user?.row ?? { username: null, fid });
      return { name, position: row.descriptionMentionPositions[index] as number };
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
  const { id, leadFid } = channel.row;
  channel.json ??= flatten(render(channel));
  const user = leadFid === null ? undefined : viewUserOf(leadFid, page);
  const lead = user === undefined ? '' : `,"lead":${user}`;
  return `${channel.json}${viewDescription(channel, page)}${lead}${more}${viewChannelContext(id, page)}}`;
};

/**
 * Hosts and moderator are older names of the lead and the moderators, and of the lead (GAPS 1). A channel without a lead
 * and moderators has neither.
 */
const viewHosts = (channel: Channel, page: Page): string => {
  const { leadFid } = channel.row;
  const hosts = hostsOf(channel).flatMap((fid) => viewUserOf(fid, page) ?? []);
  const moderator = leadFid === null ? undefined : viewUserOf(leadFid, page);
  return (
    (hosts.length === 0 ? '' : `,"hosts":[${hosts.join()}]`) +
    (moderator === undefined ? '' : `,"moderator":${moderator}`)
  );
};

/** @returns `Channel`, with its lead and moderators as far as these accounts are in the page */
export const viewChannel = (channel: Channel, page: Page): string => viewWith(channel, page, viewHosts(channel, page));

/** @returns `Channel` in a cast: without the deprecated members, which would repeat up to 12 accounts in each cast */
export const viewChannelOfCast = (channel: Channel, page: Page): string => viewWith(channel, page, '');
