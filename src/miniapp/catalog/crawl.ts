import pLimit from 'p-limit';
import type { Database } from '../../db/database.js';
import { fromUnixMs } from '../../protocol/time.js';
import { selectStoredManifest } from '../../store/miniapp/catalog-app.js';
import { insertEmbeddedDomains, selectDueDomains } from '../../store/miniapp/catalog-domain.js';
import { TRUSTED_SCORE } from '../../store/trusted-score.js';
import { ManifestError } from '../manifest-error.js';
import type { CatalogReader } from './reader.js';
import { recordFault, recordManifest } from './record.js';

/** Age of the casts whose embeds are looked at, in seconds, and how far ahead casts may be dated. */
const RECENT_SECONDS = 3 * 86_400;
const AHEAD_SECONDS = 600;
/** The newest casts that a run looks at, more than are written in an hour. */
const CASTS = 50_000;
/** New domains of a run, and domains whose manifest it reads. */
const NEW_DOMAINS = 100;
const DOMAINS = 200;
/** Domains that are read concurrently, each for half a minute at most. */
const CONCURRENCY = 8;
/** No further domain is begun after this time. */
const RUN_MS = 8 * 60_000;

export interface CatalogCrawlDependencies {
  readonly db: Database;
  readonly read: CatalogReader;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** @throws the reason of `signal` as soon as it is aborted */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
};

/**
 * Reads the manifest of one known domain and stores what is found.
 * @param options `isAnew` reads it whether or not it changed
 * @returns the fault; undefined for a mini app that can be listed
 * @throws the reason of `signal` when that is aborted; nothing is stored then
 */
export const refreshDomain = async (
  { db, read, clock }: CatalogCrawlDependencies,
  domain: string,
  { signal, isAnew = false }: { readonly signal: AbortSignal; readonly isAnew?: boolean },
): Promise<ManifestError | undefined> => {
  const stored = isAnew ? undefined : await selectStoredManifest(db, domain);
  try {
    const app = await untilAborted(read(domain, stored), signal);
    await recordManifest(db, domain, app, clock());
    return undefined;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    await recordFault(db, domain, error, clock());
    return error;
  }
};

/**
 * Finds domains that trusted accounts embedded in recent casts, and reads the manifests that are due: those of new
 * domains, and daily those of known ones. A domain that fails does not affect the others.
 * @param failed receives what went wrong here, not at a domain
 */
export const crawlManifests = async (
  dependencies: CatalogCrawlDependencies & { readonly failed: (error: unknown, domain: string) => void },
  signal: AbortSignal,
): Promise<void> => {
  const { db, clock, failed } = dependencies;
  const began = clock();
  const ts = fromUnixMs(began);
  const rule = { score: TRUSTED_SCORE, casts: CASTS, domains: NEW_DOMAINS };
  await insertEmbeddedDomains(db, { from: ts - RECENT_SECONDS, to: ts + AHEAD_SECONDS }, rule, new Date(began));
  const due = await selectDueDomains(db, new Date(began), DOMAINS);
  const limit = pLimit(CONCURRENCY);
  const refresh = async (domain: string): Promise<void> => {
    if (signal.aborted || clock() - began > RUN_MS) return;
    await refreshDomain(dependencies, domain, { signal }).catch((error: unknown) => {
      if (!signal.aborted) failed(error, domain);
    });
  };
  await Promise.all(due.map((domain) => limit(refresh, domain)));
  signal.throwIfAborted();
};
