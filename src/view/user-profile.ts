import type { Account } from '../hydrate/account.js';
import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { viewChannelDehydrated } from './channel/channel-dehydrated.js';
import { quote, renderJson } from './json.js';
import { isUri } from './uri.js';
import { viewUserDehydratedOf } from './user-dehydrated.js';

type Token = { readonly token: { readonly start: number; readonly end: number } };

const viewRanges = (tokens: readonly Token[]): string =>
  tokens.map(({ token }) => `{"start":${token.start},"end":${token.end}}`).join();

/** Names of accounts and channels that do not exist stay plain text. Ranges are UTF-16 units of `text`. */
const viewBio = ({ row, bioUsers, bioChannels }: Account, page: Page): string => {
  const users = bioUsers.map(({ named }) => viewUserDehydratedOf(named)).join();
  const channels = bioChannels.map(({ named }) => viewChannelDehydrated(named, page)).join();
  const mentionedUsers = `,"mentioned_profiles":[${users}],"mentioned_profiles_ranges":[${viewRanges(bioUsers)}]`;
  const mentionedChannels = `,"mentioned_channels":[${channels}],"mentioned_channels_ranges":[${viewRanges(bioChannels)}]`;
  const text = `"text":${quote(row.bio ?? '')}`;
  return `{${text}${users === '' ? '' : mentionedUsers}${channels === '' ? '' : mentionedChannels}}`;
};

/** Without a radius, which the protocol does not have. */
const viewLocation = ({ row: { latitude, longitude }, address }: Account): string => {
  if (latitude === null || longitude === null) return '';
  const place = address === undefined ? '' : `,"address":${renderJson(address)}`;
  return `,"location":{"latitude":${latitude},"longitude":${longitude}${place}}`;
};

/** @returns `UserProfile`; only channels in its bio depend on the viewer */
export const viewUserProfile = (account: Account, page: Page): string => {
  const { bannerUrl, liveUrl, liveTs } = account.row;
  const banner = bannerUrl !== null && isUri(bannerUrl) ? `,"banner":{"url":${quote(bannerUrl)}}` : '';
  const live =
    liveTs === null
      ? ''
      : `,"live_at":{"url":${quote(liveUrl ?? '')},"updated_at":"${toIso(liveTs)}","is_live":${Boolean(liveUrl)}}`;
  return `{"bio":${viewBio(account, page)}${banner}${viewLocation(account)}${live}}`;
};
