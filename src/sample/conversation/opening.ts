import { SAMPLE_CHANNELS } from '../channel.js';
import type { Language } from '../language.js';
import type { Random } from '../random.js';
import {
  CHANNEL_OPENINGS,
  EVENT_OPENINGS,
  FOREIGN_OPENINGS,
  HOME_OPENINGS,
  LONG_OPENINGS,
  LONGEST_OPENINGS,
} from './conversation.js';
import type { Line } from './script.js';

/** Of casts in channels. */
const CHANNEL_SHARE = 0.62;
/** Of openings by speakers of another language. */
const FOREIGN_SHARE = 0.7;
const LONG_SHARE = 0.04;
/** Of what is said outside of channels, the rest is about the channels of the author. */
const HOME_SHARE = 0.4;
/** Of the casts of the last day that begin threads. */
const EVENT_SHARE = 0.4;

export interface Opener {
  readonly language: Language;
  readonly isPro: boolean;
  /** Indexes of `SAMPLE_CHANNELS`, the favourite first. */
  readonly channels: readonly number[];
}

export interface Opening {
  readonly line: Line;
  /** Index of `SAMPLE_CHANNELS`; -1: outside of channels. */
  readonly channel: number;
}

const indexOf = (channel: string | undefined): number => SAMPLE_CHANNELS.findIndex(({ id }) => id === channel);

/**
 * @returns a function that chooses how somebody begins a conversation, and where. Nothing is repeated until everything
 *   else about the same subject was said.
 */
export const createOpenings = (random: Random): ((author: Opener, isLastDay: boolean) => Opening) => {
  const decks = new Map<readonly Line[], Line[]>();
  const draw = (lines: readonly Line[]): Line => {
    const deck = decks.get(lines)?.length ? (decks.get(lines) as Line[]) : random.sample(lines, lines.length);
    decks.set(lines, deck);
    return deck.pop() as Line;
  };
  const place = (line: Line): Opening => ({ line, channel: indexOf(line.channel) });

  /** Chooses the favourite channel half of the time. */
  const favourite = ({ channels }: Opener): number =>
    random.chance(0.5) ? (channels[0] as number) : random.pick(channels);
  const about = (channel: number): Line =>
    draw(CHANNEL_OPENINGS.get(SAMPLE_CHANNELS[channel]?.id ?? '') as readonly Line[]);

  return (author, isLastDay) => {
    if (isLastDay && random.chance(EVENT_SHARE)) {
      // The first of two is more frequent than the second, and so on.
      const event = Math.min(random.integer(EVENT_OPENINGS.length), random.integer(EVENT_OPENINGS.length));
      return place(draw(EVENT_OPENINGS[event] as readonly Line[]));
    }
    const foreign = FOREIGN_OPENINGS.get(author.language);
    if (foreign !== undefined && random.chance(FOREIGN_SHARE)) return place(draw(foreign));
    if (random.chance(LONG_SHARE)) {
      return place(draw(author.isPro && random.chance(0.6) ? LONGEST_OPENINGS : LONG_OPENINGS));
    }
    const channel = favourite(author);
    if (random.chance(CHANNEL_SHARE)) return { line: about(channel), channel };
    return { line: random.chance(HOME_SHARE) ? draw(HOME_OPENINGS) : about(channel), channel: -1 };
  };
};
