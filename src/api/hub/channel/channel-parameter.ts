import Type from 'typebox';
import type { Reader } from '../../../db/statement.js';
import { notFound } from '../../../error.js';
import { UINT32 } from '../../../protocol/wire/wire.js';
import type { ParameterText } from '../../../schema/parameter-text.js';
import { selectChannel } from '../../../store/hub/channel.js';
import { bytesOf } from '../parameter.js';

const CHANNEL_ID_BYTES = 32;

export const channelIdQuery = Type.String();
export const CHANNEL_ID_TEXT: ParameterText = {
  description: 'Id of the channel, the Keccak-256 hash of its key: 0x and 64 hex digits.',
};

/** Messages about channels have fids of 32 bits. */
export const channelFidQuery = Type.Integer({ minimum: 1, maximum: UINT32 });

/** @returns 32 bytes. @throws AppError invalid, property `channelId` */
export const channelIdOfText = (text: string): Uint8Array => bytesOf(text, 'channelId', CHANNEL_ID_BYTES);

/** @throws AppError invalid or not_found, property `channelId`, unless the channel is registered */
export const requireChannel = async (read: Reader, text: string) => {
  const channel = await selectChannel(read, channelIdOfText(text));
  if (channel === undefined) throw notFound(`No channel with the id ${text} is registered.`, 'channelId');
  return channel;
};
