import { selectQuery, writeQuery, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A transaction of a wallet, broadcast or about to be. */
export type TransactionRow = Camel<Written<Omit<Tables['chain_transaction'], 'succeeded' | 'block' | 'ended_at'>>>;

const COLUMNS = `t.id, t.wallet_id as "walletId", t.network, t.chain_id as "chainId", t.nonce, t.purpose, t.recipient,
  t.data, t.value, t.gas, t.state, t.sent, t.hash, t.failure_code as "failureCode", t.failure,
  t.created_at as "createdAt"`;

/** A transaction with its wallet's account, 20 bytes. */
export type OpenTransaction = TransactionRow & { readonly address: Buffer };

const NEW = {
  id: 'uuid',
  wallet_id: 'uuid',
  network: 'text',
  chain_id: 'bigint',
  nonce: 'bigint',
  purpose: 'text',
  recipient: 'bytea',
  data: 'bytea',
  value: 'numeric',
  gas: 'bigint',
  created_at: 'timestamptz',
} as const;

type NewTransaction = Camel<Written<Pick<Tables['chain_transaction'], keyof typeof NEW>>>;

/** Stores transactions before they are broadcast. */
export const insertTransactions = writeRows(
  'insert_transactions',
  NEW,
  (rows) => `insert into chain_transaction (${Object.keys(NEW).join(', ')}, state) select n.*, 'open' from (${rows}) n`,
).done((rows: readonly NewTransaction[]) => [rows]);

/** @returns the transactions of these ids, in no order. */
export const selectTransactions = selectQuery(
  'select_transactions',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.id = any(:ids::uuid[])`,
).rows((ids: readonly string[]) => ({ ids }));

/** @returns the open transactions of all wallets, or of one on one chain, by nonce. */
export const selectOpenTransactions = selectQuery(
  'select_open_transactions',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.state = 'open' and (:walletId?::uuid is null or (t.wallet_id = :walletId?::uuid and t.chain_id = :chainId?))
    order by t.wallet_id, t.chain_id, t.nonce`,
).rows((of?: { readonly walletId: string; readonly chainId: number }) => ({
  walletId: of?.walletId ?? null,
  chainId: of?.chainId ?? null,
}));

/** @returns those of the transactions that are open, locked, the last nonce first. */
export const lockOpenTransactions = writeQuery(
  'lock_open_transactions',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.id = any(:ids::uuid[]) and t.state = 'open'
    order by t.nonce desc for update of t`,
).rows((ids: readonly string[]) => ({ ids }));

/** @returns the transaction, locked, if it is still open. */
export const lockOpenTransaction = writeQuery(
  'lock_open_transaction',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.id = :id::uuid and t.state = 'open' for update of t`,
).first((id: string) => ({ id }));

/** @returns the open and mined transactions with these nonces. */
export const selectNonceHolders = selectQuery(
  'select_nonce_holders',
  `select id, nonce, state from chain_transaction
    where wallet_id = :walletId::uuid and chain_id = :chainId and nonce >= :from and nonce < :to and state <> 'refused'
    order by nonce`,
).rows((of: { readonly walletId: string; readonly chainId: number; readonly from: number; readonly to: number }) => ({
  walletId: of.walletId,
  chainId: of.chainId,
  from: of.from,
  to: of.to,
}));

/**
 * Marks transactions as being broadcast.
 * @returns the ids that no process had marked before; each id is returned to exactly one process.
 */
export const claimFirstBroadcast = writeQuery(
  'claim_first_broadcast',
  `update chain_transaction set sent = true where id = any(:ids::uuid[]) and state = 'open' and not sent returning id`,
).columnSet('id', (ids: readonly string[]) => ({ ids }));

/** Marks transactions that a node accepted. */
export const updateTransactionsSent = writeQuery(
  'update_transactions_sent',
  `update chain_transaction set sent = true, failure_code = null, failure = null
    where id = any(:ids::uuid[]) and state = 'open'`,
).done((ids: readonly string[]) => ({ ids }));

/** Stores why nodes rejected a transaction that stays open. */
export const updateTransactionFailure = writeQuery(
  'update_transaction_failure',
  `update chain_transaction set failure_code = :code, failure = :message where id = :id::uuid and state = 'open'`,
).done((id: string, { code, message }: { readonly code: string; readonly message: string }) => ({ id, code, message }));

export const updateTransactionMined = writeQuery(
  'update_transaction_mined',
  `update chain_transaction
      set state = 'mined', sent = true, hash = :hash, succeeded = :succeeded, block = :block, ended_at = :now, failure_code = null,
          failure = null
    where id = :id::uuid and state = 'open'`,
).done(
  (
    id: string,
    mined: { readonly hash: Uint8Array; readonly succeeded: boolean; readonly block: number; readonly now: Date },
  ) => ({ id, hash: mined.hash, succeeded: mined.succeeded, block: mined.block, now: mined.now }),
);

export const updateTransactionRefused = writeQuery(
  'update_transaction_refused',
  `update chain_transaction set state = 'refused', sent = false, failure_code = :code, failure = :message, ended_at = :now
    where id = :id::uuid and state = 'open'`,
).done((id: string, refused: { readonly code: string; readonly message: string; readonly now: Date }) => ({
  id,
  code: refused.code,
  message: refused.message,
  now: refused.now,
}));

/** Changes the nonce of a transaction, after another program used its nonce. */
export const updateTransactionNonce = writeQuery(
  'update_transaction_nonce',
  'update chain_transaction set nonce = :nonce, sent = false where id = :id::uuid',
).done((id: string, nonce: number) => ({ id, nonce }));

/** Reopens mined transactions that the chain no longer contains. */
export const updateTransactionsReopened = writeQuery(
  'update_transactions_reopened',
  `update chain_transaction set state = 'open', hash = null, succeeded = null, block = null, ended_at = null
    where id = any(:ids::uuid[]) and state = 'mined'`,
).done((ids: readonly string[]) => ({ ids }));
