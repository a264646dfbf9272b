import type { Channel } from '../../hydrate/channel.js';
import { quote } from '../json.js';

/** @returns `ChannelDehydrated` */
export const viewChannelDehydrated = ({ row }: Channel): string => {
  const image = row.image_url === null ? '' : `,"image_url":${quote(row.image_url)}`;
  return `{"object":"channel_dehydrated","id":${quote(row.id)},"name":${quote(row.name)}${image}}`;
};
