import type { Reader } from '../../db/statement.js';
import type { Envelope } from '../../protocol/wire/message.js';
import { envelopeOf, type MessageKey } from '../protocol/message.js';
import { readQuery } from '../query-function.js';
import type { MessageReference } from './message-page.js';

const ENVELOPE =
  'm.hash, m.signer, m.signature, m.signature_scheme as "signatureScheme", m.data, m.data_form as "dataForm"';

const byReference = readQuery(
  'hub_message_by_reference',
  `select ${ENVELOPE}
     from unnest(:fids::bigint[], :types::smallint[], :subtypes::smallint[], :times::integer[], :hashes::bytea[]) as k(fid, type, subtype, ts, hash)
     join message m on m.fid = k.fid and m.type = k.type and m.subtype = k.subtype and m.ts = k.ts and m.hash = k.hash
      and not m.void`,
).rows();

/** @returns the signed messages of these references in no order; those deleted meanwhile are left out */
export const selectEnvelopes = async (
  session: Reader,
  references: readonly MessageReference[],
): Promise<Envelope[]> => {
  if (references.length === 0) return [];
  const rows = await byReference(session, {
    fids: references.map((row) => row.fid),
    types: references.map((row) => row.type),
    subtypes: references.map((row) => row.subtype),
    times: references.map((row) => row.ts),
    hashes: references.map((row) => row.hash),
  });
  return rows.map(envelopeOf);
};

const byKey = readQuery(
  'hub_message_by_key',
  `select ${ENVELOPE} from message m
    where m.fid = :fid and m.message_set = :messageSet and m.key = :key and m.type = :type and not m.void`,
).first();

/** @returns the message with this conflict key, if it is not void and of this `MessageType` */
export const selectEnvelope = async (
  session: Reader,
  { fid, messageSet, key }: MessageKey,
  type: number,
): Promise<Envelope | undefined> => {
  const row = await byKey(session, { fid, messageSet, key, type });
  return row && envelopeOf(row);
};
