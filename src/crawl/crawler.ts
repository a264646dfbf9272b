import { OutboundError } from '../delivery/outbound-error.js';
import { MINUTE_MS } from '../duration.js';
import type { EmbedUrlMetadata } from '../schema/social/embed-url.js';
import { lockCastUrls, updateUrlType } from '../store/crawl/cast-url.js';
import { selectUrlMetadata, type UrlMetadataRow, upsertUrlMetadata } from '../store/crawl/url-metadata.js';
import { type InvalidatingWriter, taggedTransaction } from '../store/invalidating-transaction.js';
import { urlMetadataOf } from '../store/tag.js';
import { describeUrl, type UrlReader } from './describe-url.js';
import { DocumentError } from './document-reader.js';
import { mediaType } from './media-type.js';

/** For one address: waiting for the rate limit of its host, all redirects, all bodies. */
const TIMEOUT_MS = 10_000;
const FRESH_MS = 24 * 60 * MINUTE_MS;
/** After one failure; it doubles with each further one, up to `FRESH_MS`. */
const RETRY_MS = 10 * MINUTE_MS;

/** Reasons that show that a server answered. All others have the same result, so that networks cannot be probed. */
const ANSWERED: ReadonlySet<string> = new Set(['encoded', 'broken', 'redirect', 'tls']);

/** What came of reading a page: it was read, it answered with what cannot be shown, or nothing answered. */
export type CrawlOutcome = 'read' | 'unreadable' | 'unanswered';

export interface CrawlDependencies extends InvalidatingWriter, UrlReader {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Receives how long it took to read each page, in seconds. */
  readonly observe?: (outcome: CrawlOutcome, seconds: number) => void;
  /** Receives pages that cannot be described. */
  readonly report: (what: string, error: unknown) => void;
}

/** Reads what casts need to show the addresses that they embed, and stores it. */
export interface Crawler {
  /**
   * @param url an http or https address, as casts embed it
   * @returns what was found there at most a day ago; null if nothing answers at this address, or it must not be
   *   called; that is stored for 10 minutes, and after repeated failures for up to a day
   */
  read(url: string): Promise<EmbedUrlMetadata | null>;
}

export const createCrawler = (dependencies: CrawlDependencies): Crawler => {
  const { db, clock, report, observe } = dependencies;
  const running = new Map<string, Promise<EmbedUrlMetadata | null>>();

  const failureOf = (url: string, error: unknown): EmbedUrlMetadata | null => {
    if (error instanceof OutboundError && !ANSWERED.has(error.reason)) return null;
    // A page that cannot be described is a fault here. It is stored as well, so that the page is not fetched repeatedly.
    if (!(error instanceof OutboundError || error instanceof DocumentError)) report(`the page ${url}`, error);
    return { _status: 'UNREADABLE', content_type: null, content_length: null };
  };

  const fetch = async (url: string, last: UrlMetadataRow | undefined): Promise<EmbedUrlMetadata | null> => {
    const startedAt = performance.now();
    const found = await describeUrl(dependencies, new URL(url), clock() + TIMEOUT_MS).catch((error: unknown) =>
      failureOf(url, error),
    );
    const isResolved = found?._status === 'RESOLVED';
    const outcome = isResolved ? 'read' : found === null ? 'unanswered' : 'unreadable';
    observe?.(outcome, (performance.now() - startedAt) / 1000);
    const failures = isResolved ? 0 : (last?.failures ?? 0) + 1;
    const now = clock();
    const ttl = isResolved ? FRESH_MS : Math.min(FRESH_MS, RETRY_MS * 2 ** Math.min(failures - 1, 10));
    const row = {
      metadata: found,
      failures,
      type: isResolved ? mediaType(found.content_type) || null : null,
      fetchedAt: new Date(now),
      expiresAt: new Date(now + ttl),
    };
    await taggedTransaction(dependencies, async (session, tags) => {
      await lockCastUrls(session);
      await updateUrlType(session, url, await upsertUrlMetadata(session, url, row));
      tags.add(urlMetadataOf(url));
    });
    return found;
  };

  return {
    read: async (url) => {
      const last = await selectUrlMetadata(db, url);
      if (last !== undefined && last.expiresAt.getTime() > clock()) return last.metadata as EmbedUrlMetadata | null;
      const current = running.get(url);
      if (current !== undefined) return current;
      const result = fetch(url, last).finally(() => running.delete(url));
      running.set(url, result);
      return result;
    },
  };
};
