import { selectQuery } from '../query-function.js';
import type { MessageRow } from './message.js';
import type { OnchainEventRow } from './onchain-event.js';
import type { UsernameProofRow } from './username-proof.js';

/** All accounts from `first` to `last`. */
export interface FidRange {
  readonly first: number;
  readonly last: number;
}

export type EnvelopeRow = Pick<
  MessageRow,
  'fid' | 'message_set' | 'key' | 'hash' | 'signer' | 'signature' | 'signature_scheme' | 'data' | 'data_form'
>;
export type EventRow = Pick<
  OnchainEventRow,
  'fid' | 'type' | 'block_number' | 'log_index' | 'transaction_hash' | 'body'
>;
export type ProofRow = Omit<UsernameProofRow, 'message_hash'>;

// Each continues after the last row of the previous page, by primary key; the first page has no such row.

/** @param sets numbers of message sets. Messages about channels are not included; void links are, because a newer compact state may restore them */
export const selectMessagesAfter = selectQuery(
  'select_messages_after',
  `select fid, message_set, key, hash, signer, signature, signature_scheme, data, data_form from message
    where (fid, message_set, key) > (:fid, :message_set, :key) and fid <= :last and message_set = any(:sets)
      and not (type >= 18 and type <= 21)
    order by fid, message_set, key limit :limit`,
).rows(({ first, last }: FidRange, sets: readonly number[], after: EnvelopeRow | undefined, limit: number) => ({
  fid: after?.fid ?? first,
  message_set: after?.message_set ?? -1,
  key: after?.key ?? Buffer.alloc(0),
  last,
  sets,
  limit,
}));

export const selectOnchainEventsAfter = selectQuery(
  'select_onchain_events_after',
  `select fid, type, block_number, log_index, transaction_hash, body from onchain_event
    where (fid, type, block_number, log_index, transaction_hash) > (:fid, :type, :block_number, :log_index, :transaction_hash) and fid <= :last
    order by fid, type, block_number, log_index, transaction_hash limit :limit`,
).rows(({ first, last }: FidRange, after: EventRow | undefined, limit: number) => ({
  fid: after?.fid ?? first,
  type: after?.type ?? -1,
  block_number: after?.block_number ?? -1,
  log_index: after?.log_index ?? -1,
  transaction_hash: after?.transaction_hash ?? Buffer.alloc(0),
  last,
  limit,
}));

/** Proofs of the name registry; those that were messages are exported as messages. */
export const selectRegistryProofsAfter = selectQuery(
  'select_registry_proofs_after',
  `select name, fid, type, owner, signature, "timestamp" from username_proof
    where message_hash is null and (fid, name) > (:fid, :name) and fid <= :last order by fid, name limit :limit`,
).rows(({ first, last }: FidRange, after: ProofRow | undefined, limit: number) => ({
  fid: after?.fid ?? first,
  name: after?.name ?? '',
  last,
  limit,
}));

/** Position of messages that have none yet: they come last. */
const UNREAD = Number.MAX_SAFE_INTEGER;

export type ChannelRow = EnvelopeRow & { readonly position: number };

/** Messages about channels in their order of arrival, which decides what they mean. */
export const selectChannelMessagesAfter = selectQuery(
  'select_channel_messages_after',
  `select coalesce(l.position, ${UNREAD}) as "position!", m.fid, m.message_set, m.key, m.hash, m.signer, m.signature,
          m.signature_scheme, m.data, m.data_form
     from message m left join protocol_channel_message l on l.hash = m.hash
    where m.type >= 18 and m.type <= 21 and m.fid between :first and :last and (coalesce(l.position, ${UNREAD}), m.hash) > (:position, :hash)
    order by coalesce(l.position, ${UNREAD}), m.hash limit :limit`,
).rows(({ first, last }: FidRange, after: ChannelRow | undefined, limit: number) => ({
  first,
  last,
  position: after?.position ?? -1,
  hash: after?.hash ?? Buffer.alloc(0),
  limit,
}));
