import type { Session } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import type { UsernameProofRow } from '../protocol/username-proof.js';
import { readQuery } from '../query-function.js';

// Marked, because the rows of a union have no table.
const COLUMNS = `p.name as "name!", p.fid as "fid!", p.type as "type!", p.owner as "owner!", p.signature as "signature!",
          p."timestamp" as "timestamp!", p.message_hash as "messageHash"`;

/**
 * @returns the proofs that an account sent in messages, whichever account they are for, and those of other sources that
 *   are for the account; oldest first
 * @source `get_user_name_proofs_by_fid` of snapchain's `server.rs`, whose store has the account of the message as key
 */
export const selectUsernameProofsByFid = readQuery(
  'hub_username_proof_by_fid',
  `select ${COLUMNS} from username_proof p
    where p.fid = :fid and p.message_hash is null
    union all
   select ${COLUMNS} from message m join username_proof p on p.message_hash = m.hash
    where m.fid = :fid and m.message_set = ${MessageSet.usernameProof}
    order by "timestamp", name`,
).rows((fid: number) => ({ fid }));

const byName = readQuery(
  'hub_username_proof_by_name',
  `select ${COLUMNS} from username_proof p where p.name = :name`,
).first();

/** @returns the proof of a name; undefined for an unknown or released name */
export const selectUsernameProofByName = async (
  session: Session,
  name: string,
): Promise<UsernameProofRow | undefined> => {
  const row = await byName(session, { name });
  return row?.fid === 0 ? undefined : row;
};
