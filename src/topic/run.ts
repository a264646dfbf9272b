import type { Database } from '../db/database.js';
import { DAY_SECONDS } from '../duration.js';
import type { Model } from '../model/client.js';
import { fromUnixMs } from '../protocol/time.js';
import { type InvalidatingWriter, taggedTransaction } from '../store/invalidating-transaction.js';
import { selectCasts } from '../store/query/cast.js';
import { TOPICS } from '../store/tag.js';
import { selectCountedCasts } from '../store/topic/counted-cast.js';
import { deleteTopicRunsBefore, insertTopicRun } from '../store/topic/topic.js';
import { TRUSTED_SCORE } from '../store/trusted-score.js';
import { type Burst, mergeBursts, TermCounter } from './count.js';
import { type DescribableTopic, describeTopics } from './describe.js';
import { labelOf } from './label.js';
import { slugOf, wordsOf } from './term.js';

/** Days with which the last one is compared. */
const DAYS_BEFORE = 7;
const MAX_TOPICS = 50;
/** How long the feed of a topic can be read after its last run, and pages of an earlier run. */
const RUN_MEMORY_MS = 7 * DAY_SECONDS * 1000;

export interface TopicOptions extends InvalidatingWriter {
  /** Unix milliseconds. */
  readonly now: number;
  /** Writes labels and summaries; undefined: labels come from a list of words, and there are no summaries. */
  readonly model: Model | undefined;
  readonly warn: (details: object, message: string) => void;
  readonly signal: AbortSignal;
}

/** Reads the casts of eight days, and holds no more than a page of them at a time. */
const countBursts = async ({ db, now, signal }: TopicOptions): Promise<Burst[]> => {
  const counter = new TermCounter();
  const until = fromUnixMs(now);
  const today = { from: until - DAY_SECONDS, until };
  for await (const rows of selectCountedCasts(db, today, TRUSTED_SCORE)) {
    signal.throwIfAborted();
    for (const row of rows) counter.addToday({ ...row, day: 0 });
  }
  counter.selectCandidates();
  const before = { from: today.from - DAYS_BEFORE * DAY_SECONDS, until: today.from };
  for await (const rows of selectCountedCasts(db, before, TRUSTED_SCORE)) {
    signal.throwIfAborted();
    for (const row of rows) counter.addBefore({ ...row, day: Math.floor((until - row.ts) / DAY_SECONDS) });
  }
  return mergeBursts(counter.bursts(), MAX_TOPICS);
};

/** @returns the search for all spellings, in the language of the search for casts: `"new york" | "newyork"` */
const queryOf = (names: readonly string[]): string =>
  [...new Set(names.map((name) => `"${wordsOf(name).join(' ')}"`))].join(' | ');

const toTopics = async (db: Database, bursts: readonly Burst[]): Promise<DescribableTopic[]> => {
  const casts = await selectCasts(db, [...new Set(bursts.flatMap(({ hashes }) => hashes))]);
  const textOf = new Map(casts.map(({ hash, text }) => [hash, text]));
  return bursts.map(({ names, hashes, authors }) => {
    const name = names[0] as string;
    const texts = hashes.flatMap((hash) => textOf.get(hash) ?? []);
    return {
      slug: slugOf(name),
      name,
      query: queryOf(names),
      topLevelTopic: labelOf(wordsOf(name), texts),
      summary: null,
      authors,
      texts,
    };
  });
};

/**
 * Finds the topics of the last 24 hours (docs/ranking.md) and stores them as a run of their own, so that later pages of
 * a list still belong to the run of the first one.
 * @throws the signal's reason when it is aborted
 */
export const countTopics = async (options: TopicOptions): Promise<void> => {
  const { db, now, model, changed } = options;
  const topics = await toTopics(db, await countBursts(options));
  const described = model === undefined ? topics : await describeTopics(model, topics, options);
  await taggedTransaction({ db, changed }, async (session, tags) => {
    await insertTopicRun(session, new Date(now), described);
    tags.add(TOPICS);
  });
  await deleteTopicRunsBefore(db, new Date(now - RUN_MEMORY_MS));
};
