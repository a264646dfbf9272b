import { writeQuery } from '../query-function.js';
import { type Camel, insertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = ['id', 'app_id', 'api_key_id', 'wallet_id', 'chain_id', 'resource', 'nonce', 'created_at'] as const;

/** A sign-in message that a wallet signed. */
export type X402SignInRow = Camel<Written<Tables['x402_sign_in']>>;

export const insertX402SignIn = writeQuery('insert_x402_sign_in', insertText('x402_sign_in', COLUMNS)).done(
  (row: X402SignInRow) => valuesOf(COLUMNS, row),
);

/** Deletes sign-ins from before a time. */
export const deleteOldX402SignIns = writeQuery(
  'delete_old_x402_sign_ins',
  'delete from x402_sign_in where created_at < $1',
).done((before: Date) => [before]);
