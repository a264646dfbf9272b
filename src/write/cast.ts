import { type CastId, CastType, type Embed, MessageType } from '@farcaster/core';
import { invalidField } from '../error.js';
import { CAST_TEXT_BYTES } from '../protocol/limit.js';
import type { Draft } from './unsigned-message.js';

/** A text in the protocol's form, without the mentioned names. */
export interface MentionedText {
  readonly text: string;
  /** Fids in the order of their positions. */
  readonly mentions: number[];
  /** UTF-8 byte offsets into `text` at which the names are displayed. */
  readonly mentionsPositions: number[];
}

/** Content of a cast; its parent is a cast or a URL. */
export interface CastInput {
  readonly text: MentionedText;
  readonly embeds: readonly Embed[];
  readonly parent: CastId | string | undefined;
}

/**
 * @param bytes of the text without mentioned names
 * @returns the smallest cast type for a text of that length; `TEN_K_CAST` requires a pro account
 * @throws AppError 'invalid' with property `text` for a text that is too long
 */
const castTypeOf = (bytes: number): CastType => {
  const type = CAST_TEXT_BYTES.findIndex(({ max }) => bytes <= max);
  if (type >= 0) return type;
  const most = CAST_TEXT_BYTES.at(-1)?.max;
  throw invalidField(
    'text',
    `text must have at most ${most} bytes of UTF-8, without mentioned names; this has ${bytes}`,
  );
};

/** @throws AppError 'invalid' with property `text` for a cast without content or with too long a text */
export const draftCast = ({ text, embeds, parent }: CastInput): Draft => {
  if (text.text === '' && text.mentions.length === 0 && embeds.length === 0) {
    throw invalidField('text', 'text or embeds must say something: a cast cannot be empty');
  }
  return {
    type: MessageType.CAST_ADD,
    castAddBody: {
      ...text,
      type: castTypeOf(Buffer.byteLength(text.text)),
      embeds: [...embeds],
      embedsDeprecated: [],
      ...(typeof parent === 'string' ? { parentUrl: parent } : {}),
      ...(typeof parent === 'object' ? { parentCastId: parent } : {}),
    },
  };
};

/**
 * More than 1024 bytes of text require a pro subscription (snapchain src/core/validations/cast.rs).
 * @param isPro called only for such a text
 * @throws AppError 'invalid' with property `text` if the account has no subscription
 */
export const checkCastAllowed = async ({ castAddBody: body }: Draft, isPro: () => Promise<boolean>): Promise<void> => {
  if (body?.type !== CastType.TEN_K_CAST || (await isPro())) return;
  const max = CAST_TEXT_BYTES[CastType.LONG_CAST]?.max;
  const bytes = Buffer.byteLength(body.text);
  throw invalidField(
    'text',
    `text has ${bytes} bytes of UTF-8: more than ${max} need an account with a pro subscription`,
  );
};

/** @param targetHash 20 bytes */
export const draftCastRemoval = (targetHash: Uint8Array): Draft => ({
  type: MessageType.CAST_REMOVE,
  castRemoveBody: { targetHash },
});
