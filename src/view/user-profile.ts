import type { Profile } from '../hydrate/account.js';
import type { Entities } from '../hydrate/entities.js';
import { toIso } from '../protocol/time.js';
import type { Location } from '../schema/location.js';
import type { UserProfile, UserProfileBio } from '../schema/user-profile.js';
import { viewChannelDehydrated } from './channel-dehydrated.js';
import { isUri } from './uri.js';
import { viewUserDehydrated } from './user-dehydrated.js';

const range = ({ start, end }: { start: number; end: number }) => ({ start, end });

/** Names of accounts and channels that do not exist stay plain text. Ranges are UTF-16 units of `text`. */
const viewBio = ({ row, bioNames, bioChannels }: Profile, page: Entities): UserProfileBio => {
  const profiles = bioNames.flatMap((token) => {
    const fid = page.fidsByUsername.get(token.value);
    const account = fid === undefined ? undefined : page.accounts.get(fid);
    return account === undefined ? [] : [{ token, user: viewUserDehydrated(account.profile.row.fid, account) }];
  });
  const channels = bioChannels.flatMap((token) => {
    const channel = page.channels.get(token.value);
    return channel === undefined ? [] : [{ token, channel: viewChannelDehydrated(channel) }];
  });
  return {
    text: row.bio ?? '',
    ...(profiles.length === 0
      ? {}
      : {
          mentioned_profiles: profiles.map(({ user }) => user),
          mentioned_profiles_ranges: profiles.map(({ token }) => range(token)),
        }),
    ...(channels.length === 0
      ? {}
      : {
          mentioned_channels: channels.map(({ channel }) => channel),
          mentioned_channels_ranges: channels.map(({ token }) => range(token)),
        }),
  };
};

/** The protocol knows no radius. */
const viewLocation = (latitude: number, longitude: number, { address }: Profile): Location => ({
  latitude,
  longitude,
  ...(address === undefined ? {} : { address }),
});

export const viewUserProfile = (profile: Profile, page: Entities): UserProfile => {
  const { banner_url, latitude, longitude, live_url, live_ts } = profile.row;
  return {
    bio: viewBio(profile, page),
    ...(banner_url !== null && isUri(banner_url) ? { banner: { url: banner_url } } : {}),
    ...(latitude === null || longitude === null ? {} : { location: viewLocation(latitude, longitude, profile) }),
    ...(live_ts === null
      ? {}
      : { live_at: { url: live_url ?? '', updated_at: toIso(live_ts), is_live: Boolean(live_url) } }),
  };
};
