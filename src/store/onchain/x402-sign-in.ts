import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, insertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = ['id', 'app_id', 'api_key_id', 'wallet_id', 'chain_id', 'resource', 'nonce', 'created_at'] as const;

/** A sign-in message that a wallet signed. */
export type X402SignInRow = Camel<Written<Tables['x402_sign_in']>>;

const insertX402SignInSql = sql('insert_x402_sign_in', insertText('x402_sign_in', COLUMNS));

export const insertX402SignIn = (session: Session, row: X402SignInRow): Promise<void> =>
  execute(session, insertX402SignInSql, valuesOf(COLUMNS, row));

const deleteOldX402SignInsSql = sql('delete_old_x402_sign_ins', 'delete from x402_sign_in where created_at < $1');

/** Deletes sign-ins from before a time. */
export const deleteOldX402SignIns = (session: Session, before: Date): Promise<void> =>
  execute(session, deleteOldX402SignInsSql, [before]);
