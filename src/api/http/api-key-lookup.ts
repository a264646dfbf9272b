import DataLoader from 'dataloader';
import type { Session } from '../../db/statement.js';
import { type AuthenticatedKey, selectApiKeysByHash } from '../../store/access/api-key.js';

const MAX_KEYS_PER_STATEMENT = 1000;

/**
 * @returns the key with that SHA-256 hash (32 bytes), which may be revoked or expired; undefined if there is none
 * @throws the database's error
 */
export type FindApiKey = (hash: Buffer) => Promise<AuthenticatedKey | undefined>;

/**
 * Looks up many keys in one statement. With a thousand active keys, each looked up once a second, a statement for each
 * would cost as much as their requests. One statement runs at a time; keys that arrive during it go into the next one.
 */
export const createApiKeyLookup = (db: Pick<Session, 'read'>): FindApiKey => {
  let inFlight: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<Buffer, AuthenticatedKey | undefined>(
    (hashes) => {
      const asked = selectApiKeysByHash(db, hashes);
      inFlight = asked.catch(() => undefined);
      return asked.then((holders) => {
        const byHash = new Map(holders.map((holder) => [holder.hash.toString('hex'), holder]));
        // An attacker cannot choose the hash of a key, so the time that this takes says nothing useful about it.
        return hashes.map((hash) => byHash.get(hash.toString('hex')));
      });
    },
    // Concurrent requests share one statement.
    {
      cache: false,
      maxBatchSize: MAX_KEYS_PER_STATEMENT,
      batchScheduleFn: (ask) => void inFlight.then(() => setImmediate(ask)),
    },
  );
  return (hash) => loader.load(hash);
};
