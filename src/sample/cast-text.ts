/** A part of a text, or the fid mentioned at this position. */
export type TextPart = string | number;

/** The text of a cast as in the protocol. */
export interface CastText {
  /** Without the mentions. */
  readonly text: string;
  /** fids */
  readonly mentions: number[];
  /** Positions of the mentions as offsets into the UTF-8 bytes of `text`. */
  readonly mentionsPositions: number[];
}

/** @returns the protocol's form of a text with mentions, `['gm ', 3, '!']` */
export const castText = (parts: readonly TextPart[]): CastText => {
  const mentions: number[] = [];
  const mentionsPositions: number[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else {
      mentions.push(part);
      mentionsPositions.push(Buffer.byteLength(text));
    }
  }
  return { text, mentions, mentionsPositions };
};
