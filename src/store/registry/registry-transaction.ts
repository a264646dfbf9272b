import { selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

export type RegistryTransactionState = 'pending' | 'stored' | 'final' | 'failed';

type Columns = Camel<Tables['registry_transaction']>;

/** A transaction whose events are not final, with its outcome as far as it is known. */
export type OpenRegistryTransaction = Pick<Columns, 'transactionId' | 'blockHash'> & {
  readonly state: 'pending' | 'stored';
  readonly network: string;
  /** The sender refused it: no network ever got it. */
  readonly isRefused: boolean;
};

/** Stores, together with a transaction, that its events must be ingested. */
export const insertRegistryTransaction = writeQuery(
  'insert_registry_transaction',
  `insert into registry_transaction (transaction_id, state, created_at) values (:transactionId::uuid, 'pending', :now)`,
).done((transactionId: string, now: Date) => ({ transactionId, now }));

/** @returns transactions whose events are not final, the oldest first */
export const selectOpenRegistryTransactions = selectQuery(
  'select_open_registry_transactions',
  `select r.transaction_id as "transactionId", r.state, r.block_hash as "blockHash", t.network,
          t.state = 'refused' as "isRefused!"
     from registry_transaction r join chain_transaction t on t.id = r.transaction_id
    where r.state in ('pending', 'stored') order by r.created_at limit :limit`,
).rows((limit: number) => ({ limit }));

/** @param blockHash 32 bytes, of the block whose events are stored; null if none are */
export const updateRegistryTransaction = writeQuery(
  'update_registry_transaction',
  `update registry_transaction set state = :state, block_hash = :blockHash? where transaction_id = :transactionId::uuid`,
).done((transactionId: string, state: RegistryTransactionState, blockHash: Uint8Array | null) => ({
  transactionId,
  state,
  blockHash,
}));
