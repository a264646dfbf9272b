import Type, { type Static } from 'typebox';
import type { Account } from '../hydrate/account.js';
import type { Channel as ChannelEntity } from '../hydrate/channel.js';
import { Channel } from '../schema/channel.js';
import { fragmentBytes } from './entity-fragment.js';
import type { JsonWriter } from './json-writer.js';
import { openObject, serializer } from './serializer.js';
import { isUri } from './uri.js';

const ChannelAlone = Type.Omit(Channel, ['hosts', 'lead', 'moderator']);
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

/** Writes `Channel`. @param lead undefined: it has none whose account is stored; else `writeLead` writes it as `User` */
export const writeChannel = (
  json: JsonWriter,
  channel: ChannelEntity,
  lead: Account | undefined,
  writeLead: (lead: Account) => void,
): void => {
  channel.rendered ??= fragmentBytes(openObject(serialize(viewChannel(channel)), '"lead":'));
  json.bytes(channel.rendered);
  if (lead === undefined) {
    json.back(',"lead":'.length);
    json.bytes(END);
    return;
  }
  writeLead(lead);
  json.bytes(END);
};
