import { articleUrl } from './article.js';
import type { TextPart } from './cast-text.js';
import { SAMPLE_CHANNELS } from './channel.js';
import { FOREIGN } from './language.js';
import { CLOSING_PHRASES, GENERAL_CASTS, LINK_HOSTS, QUOTES, REPLIES, SENTENCES, SPAM, TOPICS } from './phrase.js';
import { NO_PICTURES, pictureUrl } from './picture-address.js';
import type { Random } from './random.js';
import type { Person } from './sample-user.js';

export type TextKind = 'root' | 'reply' | 'quote' | 'spam';

export interface WriteContext {
  readonly kind: TextKind;
  readonly author: Person;
  readonly people: readonly Person[];
  /** Index of `SAMPLE_CHANNELS`, -1 outside channels. */
  readonly channel: number;
  /** Base URL of pictures, for `pictureUrl`; undefined: none. */
  readonly pictures?: string;
}

/** @returns the text of a cast with mentions, and the pages and pictures that it embeds */
export const writeText = (random: Random, context: WriteContext): { text: TextPart[]; urls: string[] } => {
  const { kind, author } = context;
  if (kind === 'spam') {
    // Spam repeats the same words and address.
    const line = SPAM[author.fid % SPAM.length] as string;
    return { text: [line], urls: [`https://claim-${author.fid}.example/`] };
  }
  const urls = embeds(random, context);
  if (kind === 'root' && urls.length > 0 && random.chance(0.06)) return { text: [], urls };
  const template = kind === 'root' && random.chance(0.035) ? longText(random, author) : chooseTemplate(random, context);
  return { text: fill(random, template, context), urls };
};

const chooseTemplate = (random: Random, context: WriteContext): string => {
  const { kind, author } = context;
  if (author.language !== 'en' && random.chance(0.7)) {
    const foreign = FOREIGN[author.language];
    const first = random.pick(kind === 'root' ? foreign.casts : foreign.replies);
    return random.chance(0.3) ? `${first}\n${random.pick(foreign.replies)}` : first;
  }
  const first = chooseEnglish(random, context);
  return random.chance(0.55) ? `${first}${/[a-z]$/.test(first) ? '.' : ''} ${random.pick(CLOSING_PHRASES)}` : first;
};

const chooseEnglish = (random: Random, { kind, channel }: WriteContext): string => {
  if (kind === 'reply') return random.pick(REPLIES);
  if (kind === 'quote') return random.pick(QUOTES);
  const topic = TOPICS[SAMPLE_CHANNELS[channel]?.id ?? ''];
  return random.pick(topic !== undefined && random.chance(0.6) ? topic.casts : GENERAL_CASTS);
};

/** More than the 320 bytes of a short cast; accounts of the pro tier also write more than 1,024. */
const longText = (random: Random, author: Person): string => {
  const sentences = author.isPro && random.chance(0.6) ? 40 : random.between(6, 9);
  return Array.from({ length: sentences }, (_, index) => SENTENCES[index % SENTENCES.length]).join(' ');
};

/** Replaces `{thing}` by words and `@` by mentions. */
const fill = (random: Random, template: string, context: WriteContext): TextPart[] => {
  const { author, channel } = context;
  const topic = TOPICS[SAMPLE_CHANNELS[channel < 0 ? random.pick(author.channels) : channel]?.id ?? 'dev'];
  const text = template
    .replace(/\{thing\}/g, () => random.pick(topic?.things ?? []))
    .replace(/\{n\}/g, () => String(random.between(2, 40)));
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  const parts: TextPart[] = [];
  for (const [index, words] of (template.startsWith('{') ? capital : text).split('@').entries()) {
    if (index > 0) parts.push(somebody(random, context));
    if (words !== '') parts.push(words);
  }
  return parts;
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

const embeds = (random: Random, { kind, pictures = NO_PICTURES }: WriteContext): string[] => {
  const share = kind === 'root' ? 1 : 0.2;
  const urls: string[] = [];
  if (random.chance(0.2 * share)) urls.push(pictureUrl(pictures, 'cast', random.integer(1e9).toString(36)));
  if (random.chance(0.12 * share)) {
    const host = random.pick(LINK_HOSTS);
    const n = random.integer(1e6);
    urls.push(pictures === NO_PICTURES ? `https://${host}/${n.toString(36)}` : articleUrl(pictures, n));
  }
  if (urls.length === 0 && random.chance(0.02 * share)) {
    urls.push(`https://video.castellan.example/${random.integer(1e9).toString(36)}/manifest.m3u8`);
  }
  return urls;
};
