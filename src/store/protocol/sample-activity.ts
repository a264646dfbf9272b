import type { Session } from '../../db/statement.js';
import type { Envelope } from '../../protocol/wire/message.js';
import { selectQuery } from '../query-function.js';
import { envelopeOf } from './message.js';

/**
 * @param fid an account whose casts and their replies are added, as many as there are others
 * @returns the newest casts, the latest first; hashes have 20 bytes
 */
export const selectRecentCasts = selectQuery(
  'select_recent_casts',
  `with found as (
     (select fid, hash, ts from "cast" order by ts desc, hash desc limit :limit)
     union (select fid, hash, ts from "cast" where fid = :fid order by ts desc, hash desc limit :limit)
     union (select fid, hash, ts from "cast" where root_fid = :fid order by ts desc, hash desc limit :limit)
   )
   select c.fid, c.hash, c.text, c.mentions, c.parent_fid as "parentFid", c.parent_hash as "parentHash"
     from found join "cast" c on c.fid = found.fid and c.hash = found.hash
    order by c.ts desc, c.hash desc`,
).rows((fid: number, limit: number) => ({ fid, limit }));

const selectSigned = selectQuery(
  'select_messages_signed_since',
  `select m.hash, m.signer, m.signature, m.signature_scheme as "signatureScheme", m.data, m.data_form as "dataForm"
     from message m where m.ts > :since and m.signer = any(:signers) and not m.void order by m.ts, m.hash`,
).rows((since: number, signers: readonly Buffer[]) => ({ since, signers }));

/**
 * @param since protocol seconds
 * @param signers public keys of 32 bytes
 * @returns the messages that these keys signed later than that, the oldest first
 */
export const selectMessagesSignedSince = async (
  session: Session,
  since: number,
  signers: readonly Uint8Array[],
): Promise<Envelope[]> => {
  const keys = signers.map((key) => Buffer.from(key));
  return (await selectSigned(session, since, keys)).map(envelopeOf);
};

/** @returns whom an account follows */
export const selectFollowedFids = selectQuery(
  'select_followed_fids',
  'select target_fid as "targetFid" from link where fid = :fid and type = 1',
).column('targetFid', (fid: number) => ({ fid }));
