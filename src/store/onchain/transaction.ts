import { bulkStatement, executeRows } from '../../db/bulk-statement.js';
import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, first, type Written } from '../table.js';
import type { Tables } from '../tables.js';

export type TransactionState = 'open' | 'mined' | 'refused';

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

const insertTransactionsSql = bulkStatement(
  'insert_transactions',
  NEW,
  (rows) => `insert into chain_transaction (${Object.keys(NEW).join(', ')}, state) select n.*, 'open' from (${rows}) n`,
);

/** Stores transactions before they are broadcast. */
export const insertTransactions = (session: Session, rows: readonly NewTransaction[]): Promise<void> =>
  executeRows(session, insertTransactionsSql, rows);

const selectTransactionsSql = sql<OpenTransaction>(
  'select_transactions',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.id = any($1::uuid[])`,
);

/** @returns the transactions of these ids, in no order. */
export const selectTransactions = (session: Session, ids: readonly string[]): Promise<OpenTransaction[]> =>
  session.select(selectTransactionsSql, [ids]);

const selectOpenTransactionsSql = sql<OpenTransaction>(
  'select_open_transactions',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.state = 'open' and ($1::uuid is null or (t.wallet_id = $1::uuid and t.chain_id = $2))
    order by t.wallet_id, t.chain_id, t.nonce`,
);

/** @returns the open transactions of all wallets, or of one on one chain, by nonce. */
export const selectOpenTransactions = (
  session: Session,
  of?: { readonly walletId: string; readonly chainId: number },
): Promise<OpenTransaction[]> => session.select(selectOpenTransactionsSql, [of?.walletId ?? null, of?.chainId ?? null]);

const lockOpenTransactionsSql = sql<OpenTransaction>(
  'lock_open_transactions',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.id = any($1::uuid[]) and t.state = 'open'
    order by t.nonce desc for update of t`,
);

/** @returns those of the transactions that are open, locked, the last nonce first. */
export const lockOpenTransactions = (session: Session, ids: readonly string[]): Promise<OpenTransaction[]> =>
  session.run(lockOpenTransactionsSql, [ids]);

const lockOpenTransactionSql = sql<OpenTransaction>(
  'lock_open_transaction',
  `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.id = $1::uuid and t.state = 'open' for update of t`,
);

/** @returns the transaction, locked, if it is still open. */
export const lockOpenTransaction = (session: Session, id: string): Promise<OpenTransaction | undefined> =>
  first(session.run(lockOpenTransactionSql, [id]));

const selectNonceHoldersSql = sql<{ readonly id: string; readonly nonce: number; readonly state: TransactionState }>(
  'select_nonce_holders',
  `select id, nonce, state from chain_transaction
    where wallet_id = $1::uuid and chain_id = $2 and nonce >= $3 and nonce < $4 and state <> 'refused'
    order by nonce`,
);

/** @returns the open and mined transactions with these nonces. */
export const selectNonceHolders = (
  session: Session,
  of: { readonly walletId: string; readonly chainId: number; readonly from: number; readonly to: number },
): Promise<{ readonly id: string; readonly nonce: number; readonly state: TransactionState }[]> =>
  session.select(selectNonceHoldersSql, [of.walletId, of.chainId, of.from, of.to]);

const claimFirstBroadcastSql = sql<{ id: string }>(
  'claim_first_broadcast',
  `update chain_transaction set sent = true where id = any($1::uuid[]) and state = 'open' and not sent returning id`,
);

/**
 * Marks transactions as being broadcast.
 * @returns the ids that no process had marked before; each id is returned to exactly one process.
 */
export const claimFirstBroadcast = async (session: Session, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await session.run(claimFirstBroadcastSql, [ids])).map(({ id }) => id));

const updateTransactionsSentSql = sql(
  'update_transactions_sent',
  `update chain_transaction set sent = true, failure_code = null, failure = null
    where id = any($1::uuid[]) and state = 'open'`,
);

/** Marks transactions that a node accepted. */
export const updateTransactionsSent = (session: Session, ids: readonly string[]): Promise<void> =>
  execute(session, updateTransactionsSentSql, [ids]);

const updateTransactionFailureSql = sql(
  'update_transaction_failure',
  `update chain_transaction set failure_code = $2, failure = $3 where id = $1::uuid and state = 'open'`,
);

/** Stores why nodes rejected a transaction that stays open. */
export const updateTransactionFailure = (
  session: Session,
  id: string,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> => execute(session, updateTransactionFailureSql, [id, code, message]);

const updateTransactionMinedSql = sql(
  'update_transaction_mined',
  `update chain_transaction
      set state = 'mined', sent = true, hash = $2, succeeded = $3, block = $4, ended_at = $5, failure_code = null,
          failure = null
    where id = $1::uuid and state = 'open'`,
);

export const updateTransactionMined = (
  session: Session,
  id: string,
  mined: { readonly hash: Uint8Array; readonly succeeded: boolean; readonly block: number; readonly now: Date },
): Promise<void> =>
  execute(session, updateTransactionMinedSql, [id, mined.hash, mined.succeeded, mined.block, mined.now]);

const updateTransactionRefusedSql = sql(
  'update_transaction_refused',
  `update chain_transaction set state = 'refused', sent = false, failure_code = $2, failure = $3, ended_at = $4
    where id = $1::uuid and state = 'open'`,
);

export const updateTransactionRefused = (
  session: Session,
  id: string,
  refused: { readonly code: string; readonly message: string; readonly now: Date },
): Promise<void> => execute(session, updateTransactionRefusedSql, [id, refused.code, refused.message, refused.now]);

const updateTransactionNonceSql = sql(
  'update_transaction_nonce',
  'update chain_transaction set nonce = $2, sent = false where id = $1::uuid',
);

/** Changes the nonce of a transaction, after another program used its nonce. */
export const updateTransactionNonce = (session: Session, id: string, nonce: number): Promise<void> =>
  execute(session, updateTransactionNonceSql, [id, nonce]);

const updateTransactionsReopenedSql = sql(
  'update_transactions_reopened',
  `update chain_transaction set state = 'open', hash = null, succeeded = null, block = null, ended_at = null
    where id = any($1::uuid[]) and state = 'mined'`,
);

/** Reopens mined transactions that the chain no longer contains. */
export const updateTransactionsReopened = (session: Session, ids: readonly string[]): Promise<void> =>
  execute(session, updateTransactionsReopenedSql, [ids]);
