import type { Caller } from '../../access/caller.js';
import { hashKey } from '../../access/key.js';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import type { Log } from '../../log.js';
import { type AuthenticatedKey, updateApiKeyLastUsed } from '../../store/access/api-key.js';
import { withTimeout } from '../../timeout.js';
import { createApiKeyLookup } from './api-key-lookup.js';

/** Maximum time for which a revoked key still works. */
const CACHE_MS = 1000;
/**
 * Milliseconds since its last lookup in which a key is taken while the database does not answer for it, and how long a
 * request waits for that answer: a lock of somebody else on the table must not stop every request.
 */
const GRACE_MS = 10_000;
const PATIENCE_MS = 250;
const CACHE_KEYS = 10_000;
const LAST_USED_INTERVAL_MS = 60_000;

export interface Authenticator {
  /**
   * @param key undefined: the request has none
   * @returns the caller; without a promise when the key was checked in the last second, or in the last ten while the
   *   database does not answer
   * @throws (or rejects with) AppError 'unauthorized' for a missing, unknown, revoked or expired key and for a key of an
   *   inactive organization, and the database's error
   */
  authenticate(key: string | undefined): Caller | Promise<Caller>;
  /** @returns the caller of the key with this SHA-256 hash. @throws as `authenticate` */
  authenticateHash(hash: Buffer): Promise<Caller>;
  /** Forgets all keys, so that a change takes effect immediately in this process. */
  forget(): void;
  /** Writes the last-used times that are still in memory. */
  stop(): Promise<void>;
}

interface Entry {
  readonly caller: Caller;
  readonly expiresAt: number;
  /** Time of the lookup in the database. */
  readonly askedAt: number;
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
  /** How often all keys were forgotten. */
  let generation = 0;
  /** Whether the last lookup failed, or is late: then no request waits for the next one. */
  let isLate = false;

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
      askedAt,
    };
  };

  const look = async (key: string): Promise<Entry> => {
    const before = generation;
    try {
      const entry = await find(hashKey(key));
      isLate = false;
      if (known.size >= CACHE_KEYS) known.clear();
      // A change since may have been a revocation.
      if (before === generation) known.set(key, entry);
      return entry;
    } catch (error) {
      isLate = !(error instanceof AppError);
      if (!isLate) known.delete(key);
      throw error;
    }
  };

  /** @returns the lookup of the key that is under way, or a new one */
  const lookOnce = (key: string): Promise<Entry> => {
    const current = inFlight.get(key);
    if (current !== undefined) return current;
    const asked = look(key).finally(() => {
      if (inFlight.get(key) === asked) inFlight.delete(key);
    });
    inFlight.set(key, asked);
    return asked;
  };

  /** @returns what the lookup finds; the earlier entry if the database fails, or does not answer soon */
  const lookOrKeep = async (key: string, earlier: Entry): Promise<Entry> => {
    const asked = lookOnce(key);
    try {
      return await withTimeout(asked, PATIENCE_MS);
    } catch (error) {
      if (error instanceof AppError) throw error;
      isLate = true;
      // The process may have forgotten it meanwhile.
      return known.get(key) === earlier ? earlier : asked;
    }
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
    for (const [key, { askedAt }] of known) if (now >= askedAt + GRACE_MS) known.delete(key);
    void writeLastUsed();
  }, LAST_USED_INTERVAL_MS);
  timer.unref();

  return {
    authenticate(key) {
      if (key === undefined || key === '') throw unauthorized('Send your API key in the header x-api-key.');
      const now = clock();
      const entry = known.get(key);
      if (entry !== undefined && now < entry.askedAt + CACHE_MS) return admit(entry, now);
      if (entry === undefined || now >= entry.askedAt + GRACE_MS) {
        return lookOnce(key).then((fresh) => admit(fresh, clock()));
      }
      const looked = lookOrKeep(key, entry);
      if (!isLate) return looked.then((fresh) => admit(fresh, clock()));
      // The lookup goes on, and changes what later requests get.
      looked.catch(() => undefined);
      return admit(entry, now);
    },
    authenticateHash: async (hash) => admit(await find(hash), clock()),
    forget: () => {
      generation += 1;
      known.clear();
      inFlight.clear();
    },
    stop: async () => {
      clearInterval(timer);
      await writeLastUsed();
    },
  };
};
