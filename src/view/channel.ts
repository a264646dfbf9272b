import type { Account } from '../hydrate/account.js';
import type { Channel } from '../hydrate/channel.js';
import type { Page } from '../hydrate/page.js';
import { flatten, quote } from './json.js';
import { isUri } from './uri.js';
import { viewUser } from './user.js';

/** Everything but the lead, without the closing brace. */
const render = ({ row }: Channel): string => {
  const member = (name: string, value: string | null): string => (value === null ? '' : `,"${name}":${quote(value)}`);
  return (
    `{"object":"channel","id":${quote(row.id)},"url":${quote(row.url)},"name":${quote(row.name)},` +
    `"created_at":"${row.created_at.toISOString()}"${member('parent_url', isUri(row.parent_url) ? row.parent_url : null)}` +
    `${member('description', row.description)}${member('image_url', row.image_url)}`
  );
};

/** @returns `Channel`. @param lead undefined if the channel has none, or its account is not stored */
export const viewChannel = (channel: Channel, lead: Account | undefined, page: Page): string => {
  channel.json ??= flatten(render(channel));
  return lead === undefined ? `${channel.json}}` : `${channel.json},"lead":${viewUser(lead, page)}}`;
};
