import type { Language } from '../language.js';
import { ADDRESSED } from './answer.js';
import { ASIA } from './asia.js';
import { ESSAYS, LONG_ESSAYS } from './essay.js';
import { EUROPE } from './europe.js';
import { EVENTS } from './event.js';
import { HOME } from './home.js';
import { LEISURE } from './leisure.js';
import { MAKING } from './making.js';
import { OUTDOORS } from './outdoors.js';
import { type Line, parseScript, textsOf } from './script.js';

const { home, ...rest } = HOME;

const inChannels = (scripts: Readonly<Record<string, string>>): Map<string, Line[]> =>
  new Map(Object.entries(scripts).map(([channel, script]) => [channel, parseScript(script, 'en', channel)]));

/** Openings in English by channel id. */
export const CHANNEL_OPENINGS: ReadonlyMap<string, readonly Line[]> = inChannels({
  ...MAKING,
  ...LEISURE,
  ...OUTDOORS,
  ...rest,
});

/** Openings in English about anything, outside of channels. */
export const HOME_OPENINGS: readonly Line[] = parseScript(home, 'en');

/** Openings in other languages; few have a channel. */
export const FOREIGN_OPENINGS: ReadonlyMap<Language, readonly Line[]> = new Map(
  Object.entries({ ...EUROPE, ...ASIA }).map(([language, script]) => [
    language as Language,
    parseScript(script, language as Language),
  ]),
);

const all = (scripts: Readonly<Record<string, string>>): Line[] => {
  // The paragraphs of a long opening are lines of one cast.
  const joined = Object.entries(scripts).map(([id, script]) => [id, script.trim().replace(/\n(?! )/g, '¶')] as const);
  return [...inChannels(Object.fromEntries(joined)).values()].flat();
};

const withParagraphs = (line: Line): Line => ({ ...line, text: line.text.replaceAll('¶', '\n\n') });

/** Openings longer than 320 bytes. */
export const LONG_OPENINGS: readonly Line[] = all(ESSAYS);

/** Openings longer than 1,024 bytes. */
export const LONGEST_OPENINGS: readonly Line[] = all(LONG_ESSAYS).map(withParagraphs);

/** Openings about each event of the last day, the largest first. */
export const EVENT_OPENINGS: readonly (readonly Line[])[] = EVENTS.map(([channel, script]) =>
  parseScript(script, 'en', channel),
);

/** Openings that mention account 1. */
export const ADDRESSED_OPENINGS: readonly Line[] = parseScript(ADDRESSED, 'en');

const withReplies = (line: Line): Line[] => [line, ...line.replies.flatMap(withReplies)];

let lines: Map<string, Line> | undefined;

const readLines = (): Map<string, Line> => {
  const openings = [
    ...[...CHANNEL_OPENINGS.values(), ...FOREIGN_OPENINGS.values(), ...EVENT_OPENINGS].flat(),
    ...[...HOME_OPENINGS, ...LONG_OPENINGS, ...LONGEST_OPENINGS, ...ADDRESSED_OPENINGS],
  ];
  return new Map(openings.flatMap(withReplies).flatMap((line) => textsOf(line.text).map((text) => [text, line])));
};

/** What `writeText` may add to an opening, before a mention. */
export const COPY = ' cc ';

/**
 * @param text of a stored cast, without mentions
 * @returns the line that it was written from; undefined for casts of users
 */
export const lineOf = (text: string): Line | undefined => {
  lines ??= readLines();
  return lines.get(text) ?? lines.get(text.endsWith(COPY) ? text.slice(0, -COPY.length) : text);
};
