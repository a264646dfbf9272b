import type { Session } from './database.js';

export type TransactionState = 'open' | 'mined' | 'refused';

/** What a wallet sent, or is about to send. */
export interface TransactionRow {
  readonly id: string;
  readonly walletId: string;
  readonly network: string;
  readonly chainId: number;
  readonly nonce: number;
  readonly purpose: string;
  /** 20 bytes; null makes a contract. */
  readonly recipient: Uint8Array | null;
  readonly data: Uint8Array;
  /** Wei, in decimal digits. */
  readonly value: string;
  readonly gas: number;
  readonly state: TransactionState;
  /** Whether it may have left: set before it is handed in for the first time. */
  readonly sent: boolean;
  /** Of the attempt that was mined. */
  readonly hash: Buffer | null;
  readonly failureCode: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
}

const COLUMNS = `t.id, t.wallet_id as "walletId", t.network, t.chain_id as "chainId", t.nonce, t.purpose, t.recipient,
  t.data, t.value, t.gas, t.state, t.sent, t.hash, t.failure_code as "failureCode", t.failure,
  t.created_at as "createdAt"`;

/** A transaction with its wallet's account. */
export interface OpenTransaction extends TransactionRow {
  /** 20 bytes. */
  readonly address: Buffer;
}

type NewTransaction = Omit<TransactionRow, 'state' | 'sent' | 'hash' | 'failureCode' | 'failure'>;

/** Keeps transactions that are about to be sent, all in one statement. */
export const insertTransactions = async (session: Session, rows: readonly NewTransaction[]): Promise<void> => {
  await session.run(
    `insert into chain_transaction
       (id, wallet_id, network, chain_id, nonce, purpose, recipient, data, value, gas, state, created_at)
     select id, wallet_id, network, chain_id, nonce, purpose, recipient, data, value, gas, 'open', created_at
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::bytea[],
                   $8::bytea[], $9::numeric[], $10::bigint[], $11::timestamptz[])
         as u (id, wallet_id, network, chain_id, nonce, purpose, recipient, data, value, gas, created_at)`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.walletId),
      rows.map((row) => row.network),
      rows.map((row) => row.chainId),
      rows.map((row) => row.nonce),
      rows.map((row) => row.purpose),
      rows.map((row) => row.recipient),
      rows.map((row) => row.data),
      rows.map((row) => row.value),
      rows.map((row) => row.gas),
      rows.map((row) => row.createdAt),
    ],
  );
};

/** @returns the transactions of these ids, in no order. */
export const selectTransactions = (session: Session, ids: readonly string[]): Promise<OpenTransaction[]> =>
  session.select(
    `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
      where t.id = any($1::uuid[])`,
    [ids],
  );

/** @returns what is on its way, of all wallets or one on one chain, in the order of the nonces. */
export const selectOpenTransactions = (
  session: Session,
  of?: { readonly walletId: string; readonly chainId: number },
): Promise<OpenTransaction[]> =>
  session.select(
    `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
      where t.state = 'open' and ($1::uuid is null or (t.wallet_id = $1::uuid and t.chain_id = $2))
      order by t.wallet_id, t.chain_id, t.nonce`,
    [of?.walletId ?? null, of?.chainId ?? null],
  );

/** @returns those of the transactions that are open, locked, the last nonce first. */
export const lockOpenTransactions = (session: Session, ids: readonly string[]): Promise<OpenTransaction[]> =>
  session.run(
    `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
      where t.id = any($1::uuid[]) and t.state = 'open'
      order by t.nonce desc for update of t`,
    [ids],
  );

/** @returns the transaction, locked, if it is open still. */
export const lockOpenTransaction = async (session: Session, id: string): Promise<OpenTransaction | undefined> =>
  (
    await session.run<OpenTransaction>(
      `select ${COLUMNS}, w.address from chain_transaction t join wallet w on w.id = t.wallet_id
        where t.id = $1::uuid and t.state = 'open' for update of t`,
      [id],
    )
  )[0];

/** @returns who holds these nonces: what is open or mined. */
export const selectNonceHolders = (
  session: Session,
  of: { readonly walletId: string; readonly chainId: number; readonly from: number; readonly to: number },
): Promise<{ readonly id: string; readonly nonce: number; readonly state: TransactionState }[]> =>
  session.select(
    `select id, nonce, state from chain_transaction
      where wallet_id = $1::uuid and chain_id = $2 and nonce >= $3 and nonce < $4 and state <> 'refused'
      order by nonce`,
    [of.walletId, of.chainId, of.from, of.to],
  );

/**
 * Notes that these are about to leave.
 * @returns the ids of those that nobody handed in before: of all processes one gets each.
 */
export const claimFirstHandIn = async (session: Session, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await session.run<{ id: string }>(
    `update chain_transaction set sent = true where id = any($1::uuid[]) and state = 'open' and not sent returning id`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
};

/** Notes that the network took these. */
export const updateTransactionsSent = async (session: Session, ids: readonly string[]): Promise<void> => {
  await session.run(
    `update chain_transaction set sent = true, failure_code = null, failure = null
      where id = any($1::uuid[]) and state = 'open'`,
    [ids],
  );
};

/** Notes why a transaction that stays open was not taken this time. */
export const updateTransactionFailure = async (
  session: Session,
  id: string,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> => {
  await session.run(
    `update chain_transaction set failure_code = $2, failure = $3 where id = $1::uuid and state = 'open'`,
    [id, code, message],
  );
};

export const updateTransactionMined = async (
  session: Session,
  id: string,
  mined: { readonly hash: Uint8Array; readonly succeeded: boolean; readonly block: number; readonly now: Date },
): Promise<void> => {
  await session.run(
    `update chain_transaction
        set state = 'mined', sent = true, hash = $2, succeeded = $3, block = $4, ended_at = $5, failure_code = null,
            failure = null
      where id = $1::uuid and state = 'open'`,
    [id, mined.hash, mined.succeeded, mined.block, mined.now],
  );
};

export const updateTransactionRefused = async (
  session: Session,
  id: string,
  refused: { readonly code: string; readonly message: string; readonly now: Date },
): Promise<void> => {
  await session.run(
    `update chain_transaction set state = 'refused', sent = false, failure_code = $2, failure = $3, ended_at = $4
      where id = $1::uuid and state = 'open'`,
    [id, refused.code, refused.message, refused.now],
  );
};

/** Gives a transaction whose nonce was taken by something else another one. */
export const updateTransactionNonce = async (session: Session, id: string, nonce: number): Promise<void> => {
  await session.run('update chain_transaction set nonce = $2, sent = false where id = $1::uuid', [id, nonce]);
};

/** Takes back that transactions were mined: the chain does not have them any more. */
export const updateTransactionsReopened = async (session: Session, ids: readonly string[]): Promise<void> => {
  await session.run(
    `update chain_transaction set state = 'open', hash = null, succeeded = null, block = null, ended_at = null
      where id = any($1::uuid[]) and state = 'mined'`,
    [ids],
  );
};
