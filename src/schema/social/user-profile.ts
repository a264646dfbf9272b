import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { TextRange } from '../text-range.js';
import { ChannelDehydrated } from './channel-dehydrated.js';
import { Location } from './location.js';
import { UserDehydrated } from './user-dehydrated.js';

export const UserProfileBio = namedObject('UserProfileBio', {
  mentioned_channels: Type.Optional(Type.Array(ChannelDehydrated)),
  mentioned_channels_ranges: Type.Optional(
    Type.Array(TextRange, { description: 'One range per entry of mentioned_channels, same order.' }),
  ),
  mentioned_profiles: Type.Optional(Type.Array(UserDehydrated)),
  mentioned_profiles_ranges: Type.Optional(
    Type.Array(TextRange, { description: 'One range per entry of mentioned_profiles, same order.' }),
  ),
  text: Type.String(),
});
export const UserProfileBanner = namedObject('UserProfileBanner', {
  url: Type.Optional(Type.String({ format: 'uri' })),
});
export const UserProfileLiveAt = namedObject('UserProfileLiveAt', {
  is_live: Type.Boolean(),
  updated_at: Type.String({ format: 'date-time' }),
  url: Type.String(),
});
export const UserProfile = namedObject('UserProfile', {
  banner: Type.Optional(UserProfileBanner),
  bio: UserProfileBio,
  location: Type.Optional(Location),
  live_at: Type.Optional(UserProfileLiveAt),
});
export type UserProfile = Static<typeof UserProfile>;
