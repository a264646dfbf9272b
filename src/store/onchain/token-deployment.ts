import { execute, type Session, sql } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = ['transaction_id', 'app_id', 'is_operators', 'owner', 'media_url', 'created_at'] as const;

/** A token that this service deployed. */
export type TokenDeploymentRow = Camel<Written<Tables['token_deployment']>>;

const lockAppSql = sql('lock_app_token_deployment', 'select id from app where id = $1 for no key update');

const countSince = writeQuery<{ count: number }>(
  'count_token_deployments',
  `select count(*)::integer as count from token_deployment
    where app_id = $1 and is_operators and created_at > $2`,
).valueOr('count', 0, (appId: string, since: Date) => [appId, since]);

/** Stores a deployment with its transaction. */
export const insertTokenDeployment = writeQuery(
  'insert_token_deployment',
  insertText('token_deployment', COLUMNS),
).done((row: TokenDeploymentRow) => valuesOf(COLUMNS, row));

/**
 * Locks the app until the end of the transaction, so that requests at the same time do not exceed a limit together.
 * @returns how many tokens the operator paid for since then
 */
export const countTokenDeployments = async (session: Session, appId: string, since: Date): Promise<number> => {
  await execute(session, lockAppSql, [appId]);
  return countSince(session, appId, since);
};

/** @returns the address of the token's picture; null if it has none */
export const selectTokenMedia = selectQuery<{ mediaUrl: string | null }>(
  'token_deployment_media',
  'select media_url as "mediaUrl" from token_deployment where transaction_id = $1',
).valueOr('mediaUrl', null, (transactionId: string) => [transactionId]);
