import type { Channel } from '../../hydrate/channel.js';
import type { Page } from '../../hydrate/page.js';
import { quote } from '../json.js';
import { viewChannelContext } from './channel-context.js';

/** @returns `ChannelDehydrated`, with what the viewer is to the channel if the page has a viewer */
export const viewChannelDehydrated = ({ row }: Channel, page: Page): string => {
  const image = row.imageUrl === null ? '' : `,"image_url":${quote(row.imageUrl)}`;
  return (
    `{"object":"channel_dehydrated","id":${quote(row.id)},"name":${quote(row.name)}${image}` +
    `${viewChannelContext(row.id, page)}}`
  );
};
