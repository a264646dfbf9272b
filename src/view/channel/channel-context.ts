import { channelRelationKey } from '../../hydrate/channel.js';
import type { Page } from '../../hydrate/page.js';

/** @returns `ChannelUserContext`: what an account is to a channel */
export const viewChannelUserContext = (fid: number, id: string, { channelRelations }: Page): string => {
  const relation = channelRelations.get(channelRelationKey(fid, id));
  const role = relation?.role ? `,"role":"${relation.role}"` : '';
  return `{"following":${relation?.following ?? false}${role}}`;
};

/** @returns the member `viewer_context` of a channel, with a comma before its name; nothing without a viewer */
export const viewChannelContext = (id: string, page: Page): string =>
  page.viewer === undefined ? '' : `,"viewer_context":${viewChannelUserContext(page.viewer, id, page)}`;
