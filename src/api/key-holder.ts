import { timingSafeEqual } from 'node:crypto';
import DataLoader from 'dataloader';
import { type ApiKeyHolder, selectApiKeysByHash } from '../store/api-key.js';
import type { Session } from '../store/database.js';

/** More are asked for in several statements. */
const MOST_KEYS = 1000;

/** @returns who has the key with that SHA-256 hash (32 bytes); undefined: nobody. Rejects with the database's error. */
export type FindHolder = (hash: Buffer) => Promise<ApiKeyHolder | undefined>;

/**
 * Asks for many keys at once: where a thousand keys call, each is looked up once a second, and a statement for each of them
 * would cost as much as their requests. One statement is under way at a time; what comes meanwhile is the next one.
 */
export const createFindHolder = (db: Pick<Session, 'read'>): FindHolder => {
  let underway: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<Buffer, ApiKeyHolder | undefined>(
    (hashes) => {
      const asked = selectApiKeysByHash(db, hashes);
      underway = asked.catch(() => undefined);
      return asked.then((holders) => {
        const byHash = new Map(holders.map((holder) => [holder.hash.toString('hex'), holder]));
        return hashes.map((hash) => {
          const holder = byHash.get(hash.toString('hex'));
          // An index found it by its hash, which an attacker cannot steer; compared once more in constant time.
          return holder !== undefined && timingSafeEqual(holder.hash, hash) ? holder : undefined;
        });
      });
    },
    // Requests that came in together share one statement.
    { cache: false, maxBatchSize: MOST_KEYS, batchScheduleFn: (ask) => void underway.then(() => setImmediate(ask)) },
  );
  return (hash) => loader.load(hash);
};
