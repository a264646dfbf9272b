import Type, { type Static } from 'typebox';
import { named } from '../named.js';
import { TextRange } from '../text-range.js';
import { ChannelDehydrated } from './channel-dehydrated.js';
import { Location } from './location.js';
import { UserDehydrated } from './user-dehydrated.js';

export const UserProfileBio = named(
  'UserProfileBio',
  Type.Object({
    mentioned_channels: Type.Optional(Type.Array(ChannelDehydrated)),
    mentioned_channels_ranges: Type.Optional(
      Type.Array(TextRange, { description: 'One range per entry of mentioned_channels, same order.' }),
    ),
    mentioned_profiles: Type.Optional(Type.Array(UserDehydrated)),
    mentioned_profiles_ranges: Type.Optional(
      Type.Array(TextRange, { description: 'One range per entry of mentioned_profiles, same order.' }),
    ),
    text: Type.String(),
  }),
);
export const UserProfileBanner = named(
  'UserProfileBanner',
  Type.Object({ url: Type.Optional(Type.String({ format: 'uri' })) }),
);
export const UserProfileLiveAt = named(
  'UserProfileLiveAt',
  Type.Object({ is_live: Type.Boolean(), updated_at: Type.String({ format: 'date-time' }), url: Type.String() }),
);
export const UserProfile = named(
  'UserProfile',
  Type.Object({
    banner: Type.Optional(UserProfileBanner),
    bio: UserProfileBio,
    location: Type.Optional(Location),
    live_at: Type.Optional(UserProfileLiveAt),
  }),
);
export type UserProfile = Static<typeof UserProfile>;
