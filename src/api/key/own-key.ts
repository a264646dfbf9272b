import type { Caller } from '../../access/caller.js';
import type { Session } from '../../db/statement.js';
import { AppError, invalidField, notFound } from '../../error.js';
import { type ApiKey, selectApiKeys } from '../../store/access/api-key.js';

const lackedBy = ({ scopes }: Pick<Caller, 'scopes'>, wanted: readonly string[]): string =>
  wanted.filter((scope) => !scopes.has(scope)).join(', ');

/** A key passes on what it may do itself, and nothing more. @throws AppError 'invalid' for other scopes */
export const requireScopes = (caller: Pick<Caller, 'scopes'>, wanted: readonly string[]): void => {
  const lacked = lackedBy(caller, wanted);
  if (lacked !== '') throw invalidField('scopes', `A key cannot give what it lacks: ${lacked}.`);
};

/**
 * @returns a key of the calling app that the caller may replace and revoke: one that may do no more than its own
 * @throws AppError 'not_found' for a key of another app, 'forbidden' for one that may do more
 */
export const findOwnKey = async (db: Session, caller: Caller, id: string): Promise<ApiKey> => {
  const key = (await selectApiKeys(db, caller.appId)).find((one) => one.id === id);
  if (key === undefined) throw notFound(`The app has no key ${id}.`, 'key_uuid');
  const lacked = lackedBy(caller, key.scopes);
  if (lacked === '') return key;
  throw new AppError('forbidden', 'Forbidden', `That key may do more than the calling one: ${lacked}.`, {
    property: 'key_uuid',
  });
};
