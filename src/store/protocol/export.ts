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
export const selectMessagesAfter = selectQuery<EnvelopeRow>(
  'select_messages_after',
  `select fid, message_set, key, hash, signer, signature, signature_scheme, data, data_form from message
    where (fid, message_set, key) > ($1, $2, $3) and fid <= $4 and message_set = any($5)
      and not (type >= 18 and type <= 21)
    order by fid, message_set, key limit $6`,
).rows(({ first, last }: FidRange, sets: readonly number[], after: EnvelopeRow | undefined, limit: number) => [
  after?.fid ?? first,
  after?.message_set ?? -1,
  after?.key ?? Buffer.alloc(0),
  last,
  sets,
  limit,
]);

export const selectOnchainEventsAfter = selectQuery<EventRow>(
  'select_onchain_events_after',
  `select fid, type, block_number, log_index, transaction_hash, body from onchain_event
    where (fid, type, block_number, log_index, transaction_hash) > ($1, $2, $3, $4, $5) and fid <= $6
    order by fid, type, block_number, log_index, transaction_hash limit $7`,
).rows(({ first, last }: FidRange, after: EventRow | undefined, limit: number) => [
  after?.fid ?? first,
  after?.type ?? -1,
  after?.block_number ?? -1,
  after?.log_index ?? -1,
  after?.transaction_hash ?? Buffer.alloc(0),
  last,
  limit,
]);

/** Proofs of the name registry; those that were messages are exported as messages. */
export const selectRegistryProofsAfter = selectQuery<ProofRow>(
  'select_registry_proofs_after',
  `select name, fid, type, owner, signature, "timestamp" from username_proof
    where message_hash is null and (fid, name) > ($1, $2) and fid <= $3 order by fid, name limit $4`,
).rows(({ first, last }: FidRange, after: ProofRow | undefined, limit: number) => [
  after?.fid ?? first,
  after?.name ?? '',
  last,
  limit,
]);

/** Position of messages that have none yet: they come last. */
const UNREAD = Number.MAX_SAFE_INTEGER;

export type ChannelRow = EnvelopeRow & { readonly position: number };

/** Messages about channels in their order of arrival, which decides what they mean. */
export const selectChannelMessagesAfter = selectQuery<ChannelRow>(
  'select_channel_messages_after',
  `select coalesce(l.position, ${UNREAD}) as position, m.fid, m.message_set, m.key, m.hash, m.signer, m.signature,
          m.signature_scheme, m.data, m.data_form
     from message m left join protocol_channel_message l on l.hash = m.hash
    where m.type >= 18 and m.type <= 21 and m.fid between $1 and $2 and (coalesce(l.position, ${UNREAD}), m.hash) > ($3, $4)
    order by coalesce(l.position, ${UNREAD}), m.hash limit $5`,
).rows(({ first, last }: FidRange, after: ChannelRow | undefined, limit: number) => [
  first,
  last,
  after?.position ?? -1,
  after?.hash ?? Buffer.alloc(0),
  limit,
]);
