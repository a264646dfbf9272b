import { DAY_SECONDS } from '../duration.js';
import { LinkSubtype } from '../protocol/link-subtype.js';
import type { InvalidatingWriter } from '../store/invalidating-transaction.js';
import { type ScoreAccountRow, selectScoreAccounts, selectScoreLinks, updateScores } from '../store/protocol/score.js';
import { computePersonalizedPageRank, type EdgePage, type PageRankResult } from './personalized-page-rank.js';

const YEAR_DAYS = 365;
/** A younger account has no trust of its own, only that of its followers. */
const YOUNG_DAYS = 30;
/** Smaller changes are not written, because each write invalidates cached profiles. */
const MIN_CHANGE = 0.02;
const WRITE_PAGE = 500;

/**
 * The trust that an account starts with, given for what is expensive to fake in large numbers: age, a verified address,
 * a pro subscription.
 * Grows over the first year; twice as much with a verified address, three times with a pro subscription, four with both.
 */
const seedOf = (account: ScoreAccountRow, now: number): number => {
  const days = (now / 1000 - account.since) / DAY_SECONDS;
  if (days < YOUNG_DAYS) return 0;
  const evidence = 1 + (account.verified ? 1 : 0) + (account.proUntil > now / 1000 ? 2 : 0);
  return Math.min(1, days / YEAR_DAYS) * evidence;
};

/** The accounts by index, ascending by fid, in typed arrays: a million of them take 30 MB. */
class Accounts {
  #fids = new Float64Array(1024);
  #seeds = new Float64Array(1024);
  #scores = new Float32Array(1024);
  size = 0;

  add({ fid, score }: ScoreAccountRow, seed: number): void {
    if (this.size === this.#fids.length) {
      const grown = <T extends Float64Array | Float32Array>(old: T, fresh: T): T => {
        fresh.set(old);
        return fresh;
      };
      this.#fids = grown(this.#fids, new Float64Array(this.size * 2));
      this.#seeds = grown(this.#seeds, new Float64Array(this.size * 2));
      this.#scores = grown(this.#scores, new Float32Array(this.size * 2));
    }
    this.#fids[this.size] = fid;
    this.#seeds[this.size] = seed;
    this.#scores[this.size] = score;
    this.size++;
  }

  get seeds(): Float64Array {
    return this.#seeds.subarray(0, this.size);
  }

  fidAt(index: number): number {
    return this.#fids[index] as number;
  }

  scoreAt(index: number): number {
    return this.#scores[index] as number;
  }

  /** @returns the index of a fid, -1 when it is not among them */
  indexOf(fid: number): number {
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.fidAt(middle);
      if (found === fid) return middle;
      if (found < fid) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

export interface ScoreOptions extends InvalidatingWriter {
  /** Unix milliseconds, for the age of accounts. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** The links of one type among these accounts, without those of an account to itself. */
async function* edges({ db, signal }: ScoreOptions, accounts: Accounts, type: number): AsyncGenerator<EdgePage> {
  for await (const page of selectScoreLinks(db)) {
    signal?.throwIfAborted();
    const from = new Int32Array(page.fids.length);
    const to = new Int32Array(page.fids.length);
    let length = 0;
    for (let i = 0; i < page.fids.length; i++) {
      if (page.types[i] !== type || page.fids[i] === page.targets[i]) continue;
      const source = accounts.indexOf(page.fids[i] as number);
      const target = accounts.indexOf(page.targets[i] as number);
      if (source < 0 || target < 0) continue;
      from[length] = source;
      to[length] = target;
      length++;
    }
    yield { from, to, length };
  }
}

/** @returns for each account the sum of the ranks of those that have a link of this type to it. */
const rankOfSources = async (
  options: ScoreOptions,
  accounts: Accounts,
  type: number,
  trust: PageRankResult,
): Promise<Float64Array> => {
  const sums = new Float64Array(accounts.size);
  for await (const { from, to, length } of edges(options, accounts, type)) {
    for (let i = 0; i < length; i++) {
      const target = to[i] as number;
      sums[target] = (sums[target] as number) + (trust.rank[from[i] as number] as number);
    }
  }
  return sums;
};

/** @param received 1 is the mean of all accounts; a hundredth of it scores 0, a hundred times as much 1 */
const scaled = (received: number): number => {
  if (received <= 0) return 0;
  const score = 0.5 + Math.log10(received) / 4;
  return Math.round(100 * Math.min(1, Math.max(0, score))) / 100;
};

/**
 * Computes the score of every account (docs/score.md) and writes those that changed noticeably.
 * Reads the links several times in pages; memory grows with the number of accounts, not with that of links.
 * @returns the number of accounts written.
 * @throws the signal's reason when it is given and aborted.
 */
export const scoreAccounts = async (options: ScoreOptions): Promise<number> => {
  const { db, now, changed } = options;
  const accounts = new Accounts();
  for await (const rows of selectScoreAccounts(db)) for (const row of rows) accounts.add(row, seedOf(row, now));
  const { size, seeds } = accounts;
  const trust = await computePersonalizedPageRank({
    size,
    seeds,
    follows: () => edges(options, accounts, LinkSubtype.follow),
  });
  const followers = await rankOfSources(options, accounts, LinkSubtype.follow, trust);
  const blockers = await rankOfSources(options, accounts, LinkSubtype.block, trust);

  let written = 0;
  let page: { fid: number; score: number }[] = [];
  const write = async (): Promise<void> => {
    if (page.length === 0) return;
    changed(await updateScores(db, page));
    written += page.length;
    page = [];
  };
  for (let index = 0; index < size; index++) {
    const followed = followers[index] as number;
    const approval = followed > 0 ? followed / (followed + (blockers[index] as number)) : 0;
    const score = scaled((trust.received[index] as number) * size * approval);
    // Stored scores have the precision of a float of 32 bits.
    if (Math.abs(score - accounts.scoreAt(index)) < MIN_CHANGE - 1e-6) continue;
    page.push({ fid: accounts.fidAt(index), score });
    if (page.length === WRITE_PAGE) await write();
  }
  await write();
  return written;
};
