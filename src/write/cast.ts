import { type CastId, CastType, type Embed, MessageType } from '@farcaster/core';
import { invalidField } from '../error.js';
import { CAST_TEXT_BYTES } from '../protocol/limit.js';
import type { Draft } from './unsigned-message.js';

/** A text as the protocol keeps it: the mentioned names are taken out. */
export interface MentionedText {
  readonly text: string;
  /** Fids, in the order of their places. */
  readonly mentions: number[];
  /** For each mention the UTF-8 byte offset into `text` where its name belongs. */
  readonly mentionsPositions: number[];
}

/** What a cast is made of; its parent is a cast or a URL. */
export interface CastParts {
  readonly text: MentionedText;
  readonly embeds: readonly Embed[];
  readonly parent: CastId | string | undefined;
}

/**
 * @param bytes of the text, mentioned names not counted
 * @returns the smallest type of cast that holds so long a text; `TEN_K_CAST` is for pro accounts alone
 * @throws AppError 'invalid' with property `text` when none does
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

/**
 * @returns the cast as a message, of the smallest type that its text fits into
 * @throws AppError 'invalid' with property `text` for a cast that says nothing or too much
 */
export const draftCast = ({ text, embeds, parent }: CastParts): Draft => {
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
 * Text beyond 1024 bytes is for accounts with a pro subscription (snapchain src/core/validations/cast.rs).
 * @param isPro asked only when it matters
 * @throws AppError 'invalid' with property `text` when the cast needs one and the account has none
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
