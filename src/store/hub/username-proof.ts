import { type Session, statement } from '../database.js';
import type { UsernameProofRow } from '../username-proof.js';

const COLUMNS = 'p.name, p.fid, p.type, p.owner, p.signature, p."timestamp", p.message_hash';

const byFid = statement<UsernameProofRow>(
  'hub_username_proof_by_fid',
  `select ${COLUMNS} from username_proof p
    where p.fid = $1 and not exists (
      select 1 from username_proof q
       where q.name = p.name and (q."timestamp", q.signature) > (p."timestamp", p.signature)
    )
    order by p."timestamp", p.name`,
);

/** @returns the proofs of the names that an account holds now, oldest first; names that it lost are left out. */
export const selectUsernameProofsByFid = (session: Session, fid: number): Promise<UsernameProofRow[]> =>
  session.read(byFid, [fid]);

const byName = statement<UsernameProofRow>(
  'hub_username_proof_by_name',
  `select ${COLUMNS} from username_proof p where p.name = $1 order by p."timestamp" desc, p.signature desc limit 1`,
);

/** @returns the proof that a name belongs to somebody; undefined for an unknown name and for one that was released. */
export const selectUsernameProofByName = async (
  session: Session,
  name: string,
): Promise<UsernameProofRow | undefined> => {
  const [row] = await session.read(byName, [name]);
  return row?.fid === 0 ? undefined : row;
};
