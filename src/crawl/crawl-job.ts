import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { decodeLog } from '../event/log.js';
import type { CastEvent } from '../protocol/event/social-event.js';
import { fromUnixMs } from '../protocol/time.js';
import {
  advanceCrawlCursor,
  deleteCastUrls,
  type EmbeddingCast,
  insertCastUrls,
  lockCastUrls,
  selectCrawlCursor,
  selectHistory,
  selectNewestEmbeds,
  updateHistoryRead,
} from '../store/crawl/cast-url.js';
import {
  countAttempts,
  deleteUnusedUrls,
  deleteWaitingUrls,
  queueUrls,
  selectWaitingUrls,
} from '../store/crawl/url-metadata.js';
import { selectEventLog } from '../store/hub/event.js';
import type { Crawler } from './crawler.js';
import { webAddress } from './untrusted-text.js';

/** Rows of the log that are handled in one transaction. */
const PAGE_ROWS = 1_000;
/** Addresses that casts embed are fetched if the cast is at most this old; a longer history would take months. */
const WINDOW_SECONDS = 7 * 86_400;
/** Stored casts that are read at the start, and after history was loaded: about a day of a large network. */
const NEWEST = 50_000;
/** Maximum length of the queue: to fetch more would take days. */
const MAX_WAITING = 100_000;
/** Queued addresses that a round chooses from; it fetches at most one of each host of strangers. */
const CANDIDATES = 500;
/** Addresses that are fetched at the same time. */
const CONCURRENCY = 16;
/** How often stored casts are read while history is being loaded. */
const HISTORY_MS = 60_000;
/** Attempts without a result, because the process ended, after which an address is not fetched for casts any more. */
const MAX_ATTEMPTS = 3;
/** How long results are stored that only callers asked for, after they expired. */
const UNUSED_MS = 7 * 86_400_000;
const DELETED_AT_ONCE = 1_000;

export interface CrawlJobDependencies {
  readonly db: Database;
  readonly crawler: Crawler;
  /** Hosts with ports under which this service answers itself; none unless given. */
  readonly ownHosts?: ReadonlySet<string>;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly report: (what: string, error: unknown) => void;
}

const NO_HOSTS: ReadonlySet<string> = new Set();

const isCast = (event: { readonly type: string }): event is CastEvent => event.type.startsWith('cast.');

/** The protocol allows any text as an address. */
const addressesOf = ({ embeds }: EmbeddingCast): string[] => {
  const urls = embeds.flatMap((embed) => ('url' in embed ? [embed.url] : []));
  return [...new Set(urls)].filter((url) => URL.canParse(url) && webAddress(url, new URL(url)) !== undefined);
};

const hashOf = ({ hash }: { readonly hash: string }): Buffer => Buffer.from(hash, 'hex');

/**
 * Stores the addresses of casts, and queues those of recent ones.
 * @param now protocol seconds
 */
const storeAddresses = async (session: Session, casts: readonly EmbeddingCast[], now: number): Promise<void> => {
  const urls = casts.flatMap((cast) => addressesOf(cast).map((url) => ({ url, hash: hashOf(cast), ts: cast.ts })));
  await insertCastUrls(session, urls);
  const since = now - WINDOW_SECONDS;
  const recent = new Map<string, number>();
  for (const { url, ts } of urls) if (ts >= since) recent.set(url, Math.max(ts, recent.get(url) ?? ts));
  await queueUrls(
    session,
    [...recent].map(([url, castTs]) => ({ url, castTs })),
  );
};

/** @param history batches of history that are stored */
const readStored = ({ db }: CrawlJobDependencies, history: number): Promise<void> =>
  db.transaction(async (session) => {
    await lockCastUrls(session);
    const casts = await selectNewestEmbeds(session, NEWEST);
    // Imported casts, such as those of the sample network, may all be old.
    const newest = casts.reduce((latest, { ts }) => Math.max(latest, ts), 0);
    await storeAddresses(session, casts, newest);
    // Last: the ingest of history waits for this row.
    await updateHistoryRead(session, history);
  });

/** @returns whether more may be waiting */
const readLogPage = async ({ db, clock, report }: CrawlJobDependencies): Promise<boolean> => {
  const from = await selectCrawlCursor(db);
  const rows = await selectEventLog(db, from, PAGE_ROWS);
  if (rows.length === 0) return false;
  const events = decodeLog(rows, report).filter(isCast);
  const [created, removed] = ['cast.created', 'cast.deleted'].map((type) => events.filter((one) => one.type === type));
  return db.transaction(async (session) => {
    await lockCastUrls(session);
    if (!(await advanceCrawlCursor(session, from, rows.at(-1)?.id as number))) return false;
    await storeAddresses(session, created as CastEvent[], fromUnixMs(clock()));
    await deleteCastUrls(session, (removed as CastEvent[]).map(hashOf));
    return rows.length === PAGE_ROWS;
  });
};

/**
 * @returns addresses to fetch now, those of the newest casts first, of different hosts: each host gets one request a
 *   second, except those of this service
 */
const chooseUrls = (urls: readonly string[], ownHosts: ReadonlySet<string>): string[] => {
  const hosts = new Set<string>();
  const chosen = urls.filter((url) => {
    const { host } = new URL(url);
    if (ownHosts.has(host)) return true;
    return !hosts.has(host) && hosts.add(host);
  });
  return chosen.slice(0, CONCURRENCY);
};

/**
 * @returns a job that follows the event log for addresses that casts embed, and fetches those of recent casts, the newest
 *   first. It begins with the newest stored casts, and reads them again after history was loaded: the log has none that
 *   were imported or stored while the job was off.
 */
export const crawlEmbeds = (dependencies: CrawlJobDependencies): ((signal: AbortSignal) => Promise<boolean>) => {
  /** Unix milliseconds. */
  let readAt: number | undefined;
  let lastHistory = 0;
  return async (signal) => {
    const { history = 0, historyRead = 0 } = (await selectHistory(dependencies.db)) ?? {};
    const now = dependencies.clock();
    // Most history comes in many batches: it is read when none has come since the last round.
    const isLoading = history !== lastHistory;
    lastHistory = history;
    const isDue = history > historyRead && (!isLoading || now - (readAt ?? 0) >= HISTORY_MS);
    if (readAt === undefined || isDue) {
      await readStored(dependencies, history);
      readAt = now;
    }
    const isWaiting = await crawlRound(dependencies, signal);
    return isWaiting || (!isDue && history > historyRead);
  };
};

/** @returns whether more addresses may be waiting */
const crawlRound = async (dependencies: CrawlJobDependencies, signal: AbortSignal): Promise<boolean> => {
  const { db, crawler } = dependencies;
  let isMore = true;
  while (isMore) {
    signal.throwIfAborted();
    isMore = await readLogPage(dependencies);
  }
  const urls = chooseUrls(await selectWaitingUrls(db, CANDIDATES, MAX_ATTEMPTS), dependencies.ownHosts ?? NO_HOSTS);
  // Counted before the fetch: an address that crashes the process must not do so after each start.
  await countAttempts(db, urls);
  await Promise.all(urls.map((url) => crawler.read(url)));
  return urls.length > 0;
};

/** Deletes results that only callers asked for and that expired long ago, and the end of a queue that is too long. */
export const deleteUnusedMetadata = async (db: Database, now: number): Promise<void> => {
  await deleteUnusedUrls(db, new Date(now - UNUSED_MS), DELETED_AT_ONCE);
  await deleteWaitingUrls(db, MAX_WAITING);
};
