import Type, { type Static } from 'typebox';
import type { Channel as ChannelEntity } from '../hydrate/channel.js';
import type { Hydration } from '../hydrate/hydrate.js';
import { Channel } from '../schema/channel.js';
import { fragmentBytes } from './entity-fragment.js';
import type { JsonWriter } from './json-writer.js';
import { openObject, serializer } from './serializer.js';
import { isUri } from './uri.js';
import { writeUser } from './user.js';

const ChannelAlone = Type.Omit(Channel, ['lead']);
const serialize = serializer(ChannelAlone);

const viewChannel = ({ row }: ChannelEntity): Static<typeof ChannelAlone> => ({
  object: 'channel',
  id: row.id,
  url: row.url,
  name: row.name,
  created_at: row.created_at.toISOString(),
  ...(isUri(row.parent_url) ? { parent_url: row.parent_url } : {}),
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.image_url === null ? {} : { image_url: row.image_url }),
});

const END = Buffer.from('}');

/** Writes `Channel`; its lead is there when the lead's account is stored. */
export const writeChannel = (json: JsonWriter, channel: ChannelEntity, page: Hydration): void => {
  channel.rendered ??= fragmentBytes(openObject(serialize(viewChannel(channel)), '"lead":'));
  json.bytes(channel.rendered);
  const lead = channel.row.lead_fid === null ? undefined : page.accounts.get(channel.row.lead_fid);
  if (lead === undefined) {
    json.back(',"lead":'.length);
    json.bytes(END);
    return;
  }
  writeUser(json, lead, page);
  json.bytes(END);
};
