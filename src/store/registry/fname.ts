import { UserNameType } from '@farcaster/core';
import { selectQuery } from '../query-function.js';

/** @returns the name of an account at the name registry, by the stored proofs */
export const selectNameOfAccount = selectQuery(
  'select_name_of_account',
  `select p.name from username_proof p
    where p.fid = :fid and p.type = ${UserNameType.USERNAME_TYPE_FNAME}
    order by p."timestamp" desc limit 1`,
).value('name', (fid: number) => ({ fid }));

/** The latest proof of a name. */
export interface NameProof {
  readonly name: string;
  /** 0: the name was released. */
  readonly fid: number;
  /** 20 bytes. */
  readonly owner: Buffer;
  readonly signature: Buffer;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** @returns the latest proof of a name; undefined if none is stored */
export const selectNameProof = selectQuery(
  'select_name_proof',
  'select name, fid, owner, signature, "timestamp" from username_proof where name = :name',
).first((name: string) => ({ name }));
