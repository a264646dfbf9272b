import type { Session } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';

const COLUMNS = ['transaction_id', 'app_id', 'is_operators', 'owner', 'media_url', 'created_at'] as const;

const lockApp = writeQuery(
  'lock_app_token_deployment',
  'select id from app where id = :appId for no key update',
).done();

const countSince = writeQuery(
  'count_token_deployments',
  `select count(*)::integer as count from token_deployment
    where app_id = :appId and is_operators and created_at > :since`,
).valueOr('count', 0, (appId: string, since: Date) => ({ appId, since }));

/** Stores a deployment with its transaction. */
export const insertTokenDeployment = writeQuery(
  'insert_token_deployment',
  insertText('token_deployment', COLUMNS),
).done();

/**
 * Locks the app until the end of the transaction, so that requests at the same time do not exceed a limit together.
 * @returns how many tokens the operator paid for since then
 */
export const countTokenDeployments = async (session: Session, appId: string, since: Date): Promise<number> => {
  await lockApp(session, { appId });
  return countSince(session, appId, since);
};

/** @returns the address of the token's picture; null if it has none */
export const selectTokenMedia = selectQuery(
  'token_deployment_media',
  'select media_url as "mediaUrl" from token_deployment where transaction_id = :transactionId',
).valueOr('mediaUrl', null, (transactionId: string) => ({ transactionId }));
