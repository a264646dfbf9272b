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
  'fid' | 'messageSet' | 'key' | 'hash' | 'signer' | 'signature' | 'signatureScheme' | 'data' | 'dataForm'
>;
export type EventRow = Pick<OnchainEventRow, 'fid' | 'type' | 'blockNumber' | 'logIndex' | 'transactionHash' | 'body'>;
export type ProofRow = Omit<UsernameProofRow, 'messageHash'>;

// Each continues after the last row of the previous page, by primary key; the first page has no such row.

/** @param sets numbers of message sets. Messages about channels are not included; void links are, because a newer compact state may restore them */
export const selectMessagesAfter = selectQuery(
  'select_messages_after',
  `select fid, message_set as "messageSet", key, hash, signer, signature, signature_scheme as "signatureScheme", data,
          data_form as "dataForm"
     from message
    where (fid, message_set, key) > (:fid, :messageSet, :key) and fid <= :last and message_set = any(:sets)
      and not (type >= 18 and type <= 21)
    order by fid, message_set, key limit :limit`,
).rows(({ first, last }: FidRange, sets: readonly number[], after: EnvelopeRow | undefined, limit: number) => ({
  fid: after?.fid ?? first,
  messageSet: after?.messageSet ?? -1,
  key: after?.key ?? Buffer.alloc(0),
  last,
  sets,
  limit,
}));

export const selectOnchainEventsAfter = selectQuery(
  'select_onchain_events_after',
  `select fid, type, block_number as "blockNumber", log_index as "logIndex", transaction_hash as "transactionHash", body from onchain_event
    where (fid, type, block_number, log_index, transaction_hash) > (:fid, :type, :blockNumber, :logIndex, :transactionHash) and fid <= :last
    order by fid, type, block_number, log_index, transaction_hash limit :limit`,
).rows(({ first, last }: FidRange, after: EventRow | undefined, limit: number) => ({
  fid: after?.fid ?? first,
  type: after?.type ?? -1,
  blockNumber: after?.blockNumber ?? -1,
  logIndex: after?.logIndex ?? -1,
  transactionHash: after?.transactionHash ?? Buffer.alloc(0),
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
  `select coalesce(l.position, ${UNREAD}) as "position!", m.fid, m.message_set as "messageSet", m.key, m.hash, m.signer, m.signature,
          m.signature_scheme as "signatureScheme", m.data, m.data_form as "dataForm"
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
