import type { Caller } from '../../access/caller.js';
import { hashKey } from '../../access/key.js';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import type { Log } from '../../log.js';
import { type AuthenticatedKey, updateApiKeyLastUsed } from '../../store/access/api-key.js';
import { createApiKeyLookup } from './api-key-lookup.js';

/** Maximum time for which a revoked key still works. */
const CACHE_MS = 1000;
const CACHE_KEYS = 10_000;
const LAST_USED_INTERVAL_MS = 60_000;

export interface Authenticator {
  /**
   * @param key undefined: the request has none
   * @returns the caller; without a promise when the key was checked in the last second
   * @throws (or rejects with) AppError 'unauthorized' for a missing, unknown, revoked or expired key and for a key of an
   *   inactive organization, and the database's error
   */
  authenticate(key: string | undefined): Caller | Promise<Caller>;
  /** @returns the caller of the key with this SHA-256 hash. @throws as `authenticate` */
  authenticateHash(hash: Buffer): Promise<Caller>;
  /** Empties the cache, so that a change takes effect immediately in this process. */
  forget(): void;
  /** Writes the last-used times that are still in memory. */
  stop(): Promise<void>;
}

interface Entry {
  readonly caller: Caller;
  readonly expiresAt: number;
  /** Time of the next lookup in the database. */
  readonly staleAt: number;
}

const unauthorized = (message: string): AppError => new AppError('unauthorized', 'Unauthorized', message);

/** 401, because every operation lists it and few list 403; the code says that the key itself is valid. */
const inactive = (): AppError =>
  new AppError(
    'unauthorized',
    'OrganizationInactive',
    'The organization of this API key is inactive, so its keys do not work. Ask the operator to activate it again.',
  );

const callerOf = (holder: AuthenticatedKey): Caller => ({
  keyId: holder.id,
  appId: holder.appId,
  appFid: holder.appFid,
  organizationId: holder.organizationId,
  planId: holder.planId,
  scopes: new Set(holder.scopes),
});

/** @param options `clock` gives Unix milliseconds. */
export const createAuthenticator = (options: {
  readonly db: Database;
  readonly log: Log;
  readonly clock: () => number;
}): Authenticator => {
  const { db, log, clock } = options;
  const findApiKey = createApiKeyLookup(db);
  // Keyed by the key itself, because hashing would be the slowest step of a request; old entries are removed.
  const known = new Map<string, Entry>();
  const inFlight = new Map<string, Promise<Entry>>();
  let used = new Map<string, Date>();

  const find = async (hash: Buffer): Promise<Entry> => {
    const askedAt = clock();
    const holder = await findApiKey(hash);
    if (holder === undefined) {
      throw unauthorized(
        'This API key is not known here. Check the header x-api-key, or the one that your program sends instead.',
      );
    }
    if (holder.revokedAt !== null) throw unauthorized('This API key was revoked. Ask the operator for a new one.');
    if (holder.organizationStatus !== 'active') throw inactive();
    return {
      caller: callerOf(holder),
      expiresAt: holder.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      staleAt: askedAt + CACHE_MS,
    };
  };

  const look = async (key: string): Promise<Entry> => {
    const entry = await find(hashKey(key));
    if (known.size >= CACHE_KEYS) known.clear();
    known.set(key, entry);
    return entry;
  };

  const admit = (entry: Entry, now: number): Caller => {
    if (now >= entry.expiresAt) throw unauthorized('This API key has ended. Ask the operator for a new one.');
    const { caller } = entry;
    if (now - (used.get(caller.keyId)?.getTime() ?? 0) >= CACHE_MS) used.set(caller.keyId, new Date(now));
    return caller;
  };

  const writeLastUsed = async (): Promise<void> => {
    const batch = used;
    used = new Map();
    if (batch.size === 0) return;
    await updateApiKeyLastUsed(db, batch).catch((error: unknown) => {
      log.warn({ err: error }, 'the last use of API keys could not be noted');
    });
  };
  const timer = setInterval(() => {
    const now = clock();
    for (const [key, { staleAt }] of known) if (now >= staleAt) known.delete(key);
    void writeLastUsed();
  }, LAST_USED_INTERVAL_MS);
  timer.unref();

  return {
    authenticate(key) {
      if (key === undefined || key === '') throw unauthorized('Send your API key in the header x-api-key.');
      const now = clock();
      const entry = known.get(key);
      if (entry !== undefined && now < entry.staleAt) return admit(entry, now);
      let asked = inFlight.get(key);
      if (asked === undefined) {
        asked = look(key).finally(() => inFlight.delete(key));
        inFlight.set(key, asked);
      }
      return asked.then((fresh) => admit(fresh, clock()));
    },
    authenticateHash: async (hash) => admit(await find(hash), clock()),
    forget: () => known.clear(),
    stop: async () => {
      clearInterval(timer);
      await writeLastUsed();
    },
  };
};
