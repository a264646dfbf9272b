import { writeQuery } from '../query-function.js';
import { insertText } from '../table.js';

const COLUMNS = ['id', 'app_id', 'api_key_id', 'wallet_id', 'chain_id', 'resource', 'nonce', 'created_at'] as const;

export const insertX402SignIn = writeQuery('insert_x402_sign_in', insertText('x402_sign_in', COLUMNS)).done();

/** Deletes sign-ins from before a time. */
export const deleteOldX402SignIns = writeQuery(
  'delete_old_x402_sign_ins',
  'delete from x402_sign_in where created_at < :before',
).done((before: Date) => ({ before }));
