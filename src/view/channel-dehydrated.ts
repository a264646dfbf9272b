import type { Channel } from '../hydrate/channel.js';
import type { ChannelDehydrated } from '../schema/channel-dehydrated.js';

export const viewChannelDehydrated = ({ row }: Channel): ChannelDehydrated => ({
  object: 'channel_dehydrated',
  id: row.id,
  name: row.name,
  ...(row.image_url === null ? {} : { image_url: row.image_url }),
});
