import type { Session } from './database.js';
import type { MessageRow } from './message.js';
import type { OnchainEventRow } from './onchain-event.js';
import type { UsernameProofRow } from './username-proof.js';

/** The accounts to read: all from `first` to `last`. */
export interface FidRange {
  readonly first: number;
  readonly last: number;
}

type EnvelopeRow = Pick<
  MessageRow,
  'fid' | 'message_set' | 'key' | 'hash' | 'signer' | 'signature' | 'signature_scheme' | 'data' | 'data_form'
>;
type EventRow = Pick<OnchainEventRow, 'fid' | 'type' | 'block_number' | 'log_index' | 'transaction_hash' | 'body'>;
type ProofRow = Omit<UsernameProofRow, 'message_hash'>;

// Each reads on from a row that it gave before, by the primary key; the first page has no such row.

/** @param sets numbers of message sets; void links are among them, for a newer compact state may revive one. */
export const selectMessagesAfter = (
  session: Session,
  { first, last }: FidRange,
  sets: readonly number[],
  after: EnvelopeRow | undefined,
  limit: number,
): Promise<EnvelopeRow[]> =>
  session.select<EnvelopeRow>(
    `select fid, message_set, key, hash, signer, signature, signature_scheme, data, data_form from message
      where (fid, message_set, key) > ($1, $2, $3) and fid <= $4 and message_set = any($5)
      order by fid, message_set, key limit $6`,
    [after?.fid ?? first, after?.message_set ?? -1, after?.key ?? Buffer.alloc(0), last, sets, limit],
  );

export const selectOnchainEventsAfter = (
  session: Session,
  { first, last }: FidRange,
  after: EventRow | undefined,
  limit: number,
): Promise<EventRow[]> =>
  session.select<EventRow>(
    `select fid, type, block_number, log_index, transaction_hash, body from onchain_event
      where (fid, type, block_number, log_index, transaction_hash) > ($1, $2, $3, $4, $5) and fid <= $6
      order by fid, type, block_number, log_index, transaction_hash limit $7`,
    [
      after?.fid ?? first,
      after?.type ?? -1,
      after?.block_number ?? -1,
      after?.log_index ?? -1,
      after?.transaction_hash ?? Buffer.alloc(0),
      last,
      limit,
    ],
  );

/** Proofs of the name registry; those that came as messages are among the messages. */
export const selectRegistryProofsAfter = (
  session: Session,
  { first, last }: FidRange,
  after: ProofRow | undefined,
  limit: number,
): Promise<ProofRow[]> =>
  session.select<ProofRow>(
    `select name, fid, type, owner, signature, "timestamp" from username_proof
      where message_hash is null and (fid, name) > ($1, $2) and fid <= $3 order by fid, name limit $4`,
    [after?.fid ?? first, after?.name ?? '', last, limit],
  );
