import type { TextPart } from '../cast-text.js';
import type { Language } from '../language.js';
import type { Random } from '../random.js';

/** Who writes a line: anybody, who wrote the line before the one that it answers, or who is mentioned in that one. */
export type Speaker = 'anybody' | 'earlier author' | 'mentioned';

/** A cast of a conversation, with the casts that answer it. */
export interface Line {
  /** `@` is a mention, `[two|three]` a choice. */
  readonly text: string;
  readonly speaker: Speaker;
  readonly language: Language;
  /** Id of the channel that it is about; undefined: none. */
  readonly channel: string | undefined;
  readonly replies: readonly Line[];
}

const MENTIONED = '@> ';

/**
 * Reads conversations. Each line is a cast, and answers the one above that has two spaces less in front. A second answer
 * belongs to the author of the line before the one that it answers, so that two people talk; `@> ` says that the person
 * speaks who is mentioned one line up. `#food ` before an opening names its channel.
 * @param channel of openings that name none
 * @returns the openings
 */
export const parseScript = (script: string, language: Language, channel?: string): Line[] => {
  const openings: Line[] = [];
  const path: { readonly line: Line; readonly replies: Line[] }[] = [];
  for (const row of script.split('\n').filter((one) => one.trim() !== '')) {
    const depth = (row.length - row.trimStart().length) / 2;
    const [, named, rest = ''] = /^(?:#(\S+) )?(.*)$/.exec(row.trim()) as RegExpExecArray;
    // `#LanternFest lineup ...` names no channel, but begins with a topic.
    const own = depth === 0 && named !== undefined && /^[a-z]+$/.test(named) ? named : undefined;
    const text = own === undefined ? row.trim() : rest;
    const isMentioned = text.startsWith(MENTIONED);
    const replies: Line[] = [];
    const line: Line = {
      text: isMentioned ? text.slice(MENTIONED.length) : text,
      speaker: isMentioned ? 'mentioned' : depth >= 2 ? 'earlier author' : 'anybody',
      language,
      channel: depth === 0 ? (own ?? channel) : path[0]?.line.channel,
      replies,
    };
    (depth === 0 ? openings : path[depth - 1]?.replies)?.push(line);
    path.splice(depth, path.length, { line, replies });
  }
  return openings;
};

const CHOICE = /\[([^\]|]+(?:\|[^\]|]+)+)\]/;

/** @returns the text of a line, with somebody mentioned where it has `@` */
export const writeLine = (random: Random, text: string, mention: () => number): TextPart[] => {
  let chosen = text;
  for (let match = CHOICE.exec(chosen); match !== null; match = CHOICE.exec(chosen)) {
    chosen = chosen.replace(match[0], random.pick((match[1] as string).split('|')));
  }
  const parts: TextPart[] = [];
  for (const [index, words] of chosen.split('@').entries()) {
    if (index > 0) parts.push(mention());
    if (words !== '') parts.push(words);
  }
  return parts;
};

/** @returns all texts that `writeLine` can make of a line, without the mentions, as casts store them */
export const textsOf = (text: string): string[] => {
  const match = CHOICE.exec(text);
  if (match === null) return [text.replaceAll('@', '')];
  return (match[1] as string).split('|').flatMap((choice) => textsOf(text.replace(match[0], choice)));
};

/**
 * @param said the cast that the line answers: `mentions` are fids, `parentFid` is the author of the cast that it answers
 * @returns the fid of who says the line; undefined: somebody who is not there
 */
export const speakerOf = (
  { speaker }: Line,
  said: { readonly mentions: readonly number[]; readonly parentFid: number | undefined },
): number | 'anybody' | undefined => {
  if (speaker === 'anybody') return 'anybody';
  return speaker === 'mentioned' ? said.mentions[0] : said.parentFid;
};
