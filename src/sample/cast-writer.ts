import { articleOf } from './article.js';
import type { TextPart } from './cast-text.js';
import { SAMPLE_CHANNELS } from './channel.js';
import { QUOTES, SPAM } from './conversation/answer.js';
import { COPY } from './conversation/conversation.js';
import { type Line, writeLine } from './conversation/script.js';
import { NO_PICTURES, pictureUrl } from './picture/picture-address.js';
import type { Random } from './random.js';
import type { Person } from './sample-user.js';

export type TextKind = 'root' | 'reply' | 'quote' | 'spam';

export interface WriteContext {
  readonly kind: TextKind;
  readonly author: Person;
  readonly people: readonly Person[];
  /** What is said; undefined for quotes and spam, which are of no conversation. */
  readonly line: Pick<Line, 'text'> | undefined;
  /** Index of `SAMPLE_CHANNELS`, -1 outside channels. */
  readonly channel: number;
  /** Base URL of pictures, for `pictureUrl`; undefined: none. */
  readonly pictures?: string;
}

/** Openings that somebody else is to see: "cc @". */
const COPY_SHARE = 0.12;
const ONLY_PICTURE_SHARE = 0.04;
/** A reserved name (RFC 2606). */
const VIDEO_HOST = 'video.castellan.example';

/** @returns the text of a cast with mentions, and the pages and pictures that it embeds */
export const writeText = (random: Random, context: WriteContext): { text: TextPart[]; urls: string[] } => {
  const { kind, author, line } = context;
  if (kind === 'spam') {
    // Spam repeats the same words and address.
    const text = SPAM[author.fid % SPAM.length] as string;
    return { text: [text], urls: [`https://claim-${author.fid}.example/`] };
  }
  const urls = embeds(random, context);
  const mention = (): number => somebody(random, context);
  const text = line?.text ?? random.pick(QUOTES[author.language] as readonly string[]);
  const isRoot = kind === 'root';
  if (isRoot && urls.length > 0 && random.chance(ONLY_PICTURE_SHARE)) return { text: [], urls };
  const parts = writeLine(random, text, mention);
  const isCopied = isRoot && !text.includes('@') && random.chance(COPY_SHARE);
  return { text: isCopied ? [...parts, COPY, mention()] : parts, urls };
};

/** @returns the fid of a likely acquaintance: the most popular of a few, preferably of the same channel */
const somebody = (random: Random, { author, people, channel }: WriteContext): number => {
  const known = Array.from({ length: 6 }, () => random.pick(people));
  const score = (person: Person): number => {
    if (person.fid === author.fid || person.isSpam) return -1;
    return person.popularity * (person.channels.includes(channel) ? 4 : 1);
  };
  return known.reduce((best, person) => (score(person) > score(best) ? person : best)).fid;
};

const embeds = (random: Random, { kind, channel, pictures = NO_PICTURES }: WriteContext): string[] => {
  const share = kind === 'root' ? 1 : 0.1;
  const urls: string[] = [];
  if (random.chance(0.2 * share)) urls.push(pictureUrl(pictures, 'cast', random.integer(1e9).toString(36)));
  const article = articleOf(random, pictures, SAMPLE_CHANNELS[channel]?.id);
  if (article !== undefined && random.chance(0.25 * share)) urls.push(article);
  if (urls.length === 0 && random.chance(0.02 * share)) {
    urls.push(`https://${VIDEO_HOST}/${random.integer(1e9).toString(36)}/manifest.m3u8`);
  }
  return urls;
};
