/** A stretch of text, or the fid that is mentioned at this place. */
export type TextPart = string | number;

/** A cast's text as the protocol keeps it. */
export interface CastText {
  /** The mentions are left out. */
  readonly text: string;
  /** fids */
  readonly mentions: number[];
  /** Where each mention belongs: an offset into the UTF-8 bytes of `text`. */
  readonly mentionsPositions: number[];
}

/** @returns the protocol's form of a text with mentions in it, `['gm ', 3, '!']` */
export function castText(parts: readonly TextPart[]): CastText {
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
}
