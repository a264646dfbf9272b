import { type Reader, statement } from '../../db/statement.js';
import type { Envelope } from '../../protocol/wire/message.js';
import { envelopeOf, type MessageKey } from '../protocol/message.js';
import { arraysOf } from '../table.js';
import type { MessageReference } from './message-page.js';

type EnvelopeRow = Parameters<typeof envelopeOf>[0];

const ENVELOPE = 'm.hash, m.signer, m.signature, m.signature_scheme, m.data, m.data_form';

const byReference = statement<EnvelopeRow>(
  'hub_message_by_reference',
  `select ${ENVELOPE}
     from unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::integer[], $5::bytea[]) as k(fid, type, subtype, ts, hash)
     join message m on m.fid = k.fid and m.type = k.type and m.subtype = k.subtype and m.ts = k.ts and m.hash = k.hash
      and not m.void`,
);

/** @returns the signed messages of these references in no order; those deleted meanwhile are left out */
export const selectEnvelopes = async (
  session: Reader,
  references: readonly MessageReference[],
): Promise<Envelope[]> => {
  if (references.length === 0) return [];
  const rows = await session.read(byReference, [...arraysOf(references, 'fid', 'type', 'subtype', 'ts', 'hash')]);
  return rows.map(envelopeOf);
};

const byKey = statement<EnvelopeRow>(
  'hub_message_by_key',
  `select ${ENVELOPE} from message m
    where m.fid = $1 and m.message_set = $2 and m.key = $3 and m.type = $4 and not m.void`,
);

/** @returns the message with this conflict key, if it is not void and of this `MessageType` */
export const selectEnvelope = async (
  session: Reader,
  { fid, message_set, key }: MessageKey,
  type: number,
): Promise<Envelope | undefined> => {
  const [row] = await session.read(byKey, [fid, message_set, key, type]);
  return row && envelopeOf(row);
};
