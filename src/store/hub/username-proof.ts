import { type Session, statement } from '../../db/statement.js';
import type { UsernameProofRow } from '../protocol/username-proof.js';
import { readQuery } from '../query-function.js';

const COLUMNS = 'p.name, p.fid, p.type, p.owner, p.signature, p."timestamp", p.message_hash';

/** @returns the proofs of an account's current names, oldest first */
export const selectUsernameProofsByFid = readQuery<UsernameProofRow>(
  'hub_username_proof_by_fid',
  `select ${COLUMNS} from username_proof p
    where p.fid = $1 and not exists (
      select 1 from username_proof q
       where q.name = p.name and (q."timestamp", q.signature) > (p."timestamp", p.signature)
    )
    order by p."timestamp", p.name`,
).rows((fid: number) => [fid]);

const byName = statement<UsernameProofRow>(
  'hub_username_proof_by_name',
  `select ${COLUMNS} from username_proof p where p.name = $1 order by p."timestamp" desc, p.signature desc limit 1`,
);

/** @returns the latest proof of a name; undefined for an unknown or released name */
export const selectUsernameProofByName = async (
  session: Session,
  name: string,
): Promise<UsernameProofRow | undefined> => {
  const [row] = await session.read(byName, [name]);
  return row?.fid === 0 ? undefined : row;
};
