import { ANSWERS } from '../conversation/answer.js';
import { lineOf } from '../conversation/conversation.js';
import { type Line, speakerOf } from '../conversation/script.js';
import type { Random } from '../random.js';
import type { Person } from '../sample-user.js';

/** A cast as it is stored. */
export interface StoredCast {
  readonly fid: number;
  /** 20 bytes */
  readonly hash: Uint8Array;
  /** Without mentions. */
  readonly text: string;
  readonly mentions: readonly number[];
  readonly parentFid: number | null;
  readonly parentHash: Uint8Array | null;
}

export interface SceneCast extends StoredCast {
  /** What it says in its conversation; undefined for casts of users, and pictures without a text. */
  readonly line: Line | undefined;
}

/** The casts that what happens next refers to. */
export interface Scene {
  /** The newest first. */
  readonly casts: readonly SceneCast[];
  /** The texts of the replies to each cast, by its hash in hex. */
  readonly said: ReadonlyMap<string, readonly SceneCast[]>;
}

/** What somebody can answer. */
export interface Answer {
  readonly parent: SceneCast;
  readonly speaker: number;
  readonly text: string;
}

/** Replies that a cast of account 1 gets which is of no conversation. */
const MAX_ANSWERS = 4;

const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/** @param stored the newest first */
export const sceneOf = (stored: readonly StoredCast[]): Scene => {
  const casts = stored.map((cast) => ({ ...cast, line: lineOf(cast.text) }));
  const said = new Map<string, SceneCast[]>();
  for (const cast of casts) {
    if (cast.parentHash === null) continue;
    const key = keyOf(cast.parentHash);
    said.set(key, [...(said.get(key) ?? []), cast]);
  }
  return { casts, said };
};

const repliesTo = ({ said }: Scene, { hash }: SceneCast): readonly SceneCast[] => said.get(keyOf(hash)) ?? [];

/** @returns what the conversation of a cast has as replies that nobody has given, and who gives each */
export const answersBelow = (parent: SceneCast, scene: Scene, author: Person): Answer[] => {
  const given = new Set(repliesTo(scene, parent).map(({ line }) => line?.text));
  const open = parent.line?.replies.filter(({ text }) => !given.has(text)) ?? [];
  return open.flatMap((line) => {
    const speaker = speakerOf(line, { mentions: parent.mentions, parentFid: parent.parentFid ?? undefined });
    if (speaker === undefined) return [];
    if (speaker !== 'anybody') return [{ parent, speaker, text: line.text }];
    const speaks = line.language === 'en' || line.language === author.language;
    return speaks && parent.fid !== author.fid ? [{ parent, speaker: author.fid, text: line.text }] : [];
  });
};

/** @returns what somebody answers to the newest of these casts that has few replies, whatever it says */
export const answerTo = (
  casts: readonly SceneCast[],
  scene: Scene,
  author: Person,
  random: Random,
): Answer | undefined => {
  for (const parent of casts) {
    const planned = answersBelow(parent, scene, author).filter(({ speaker }) => speaker === author.fid);
    if (planned.length > 0) return random.pick(planned);
    const replies = repliesTo(scene, parent);
    if (parent.line !== undefined || replies.length >= MAX_ANSWERS) continue;
    const given = new Set(replies.map(({ text }) => text));
    const text = random.pick(ANSWERS.filter((one) => !given.has(one)));
    return { parent, speaker: author.fid, text };
  }
  return undefined;
};
