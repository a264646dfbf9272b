import type { Caller } from '../../access/caller.js';
import type { Session } from '../../db/statement.js';
import { AppError, invalidField, notFound } from '../../error.js';
import { type ApiKey, selectApiKey } from '../../store/access/api-key.js';

const lackedBy = ({ scopes }: Pick<Caller, 'scopes'>, wanted: readonly string[]): string =>
  wanted.filter((scope) => !scopes.has(scope)).join(', ');

/** A key passes on what it may do itself, and nothing more. @throws AppError 'invalid' for other scopes */
export const requireScopes = (caller: Pick<Caller, 'scopes'>, wanted: readonly string[]): void => {
  const lacked = lackedBy(caller, wanted);
  if (lacked !== '') throw invalidField('scopes', `A key cannot give what it lacks: ${lacked}.`);
};

/** @returns when the calling key ends, and so, at the latest, what it makes; null: never */
export const endOfCaller = async (db: Session, { keyId }: Pick<Caller, 'keyId'>): Promise<Date | null> =>
  (await selectApiKey(db, keyId))?.expiresAt ?? null;

/**
 * @returns a key of the calling app that the caller may replace and revoke: one that may do no more than its own, and for
 *   no longer
 * @throws AppError 'not_found' for a key of another app, 'forbidden' for one that may do more or ends later
 */
export const findOwnKey = async (db: Session, caller: Caller, id: string): Promise<ApiKey> => {
  const [key, end] = await Promise.all([selectApiKey(db, id), endOfCaller(db, caller)]);
  if (key === undefined || key.appId !== caller.appId) throw notFound(`The app has no key ${id}.`, 'key_uuid');
  const lacked = lackedBy(caller, key.scopes);
  const endsLater = end !== null && (key.expiresAt === null || key.expiresAt > end);
  if (lacked === '' && !endsLater) return key;
  const more = lacked === '' ? 'ends later than the calling one' : `may do more than the calling one: ${lacked}`;
  throw new AppError('forbidden', 'Forbidden', `That key ${more}.`, { property: 'key_uuid' });
};
