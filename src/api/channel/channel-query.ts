import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { invalidField, notFound } from '../../error.js';
import { type Channel, channelById, channelByUrl } from '../../hydrate/channel.js';
import { stringEnum } from '../../schema/string-enum.js';
import { channelIdOf } from '../feed/channel-url.js';

export const idType = Type.Optional(
  stringEnum(['id', 'parent_url'], { description: 'What names the channels: id when absent.' }),
);

/** The position of a channel in a list sorted by time. */
export const timeKey = Type.Object({ id: Type.String(), at: Type.Integer() });

/** Finds channels by id or by any spelling of their URL. @returns the channel of each name; unknown ones are left out */
export const findChannels = async (
  read: ReadContext,
  names: readonly string[],
  type: 'id' | 'parent_url' = 'id',
): Promise<Channel[]> => {
  const keys = type === 'id' ? names.map(channelIdOf) : names.map((name) => name.trim());
  const found = await read.get(type === 'id' ? channelById : channelByUrl, keys);
  return keys.flatMap((key) => found.get(key) ?? []);
};

const unknownText = (name: string, type: 'id' | 'parent_url'): string =>
  `No channel with the ${type === 'id' ? 'id' : 'URL'} ${JSON.stringify(name)} is stored: /v2/social/channel/search/ finds channels by parts of their name.`;

/** @throws AppError not_found with the given property */
export const unknownChannel = (property: string, name: string, type: 'id' | 'parent_url' = 'id'): Error =>
  notFound(unknownText(name, type), property);

/**
 * For operations that have no 404.
 * @throws AppError invalid with the given property for an unknown channel
 */
export const requireChannel = async (read: ReadContext, property: string, id: string): Promise<Channel> => {
  const [channel] = await findChannels(read, [id]);
  if (channel === undefined) throw invalidField(property, unknownText(id, 'id'));
  return channel;
};
