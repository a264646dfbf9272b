import { type Database, statement } from './database.js';

export interface SignerAppRow {
  readonly fid: number;
  /** Key of the signer, hex without 0x. */
  readonly key: string;
  /** Account of the app that asked for the key. */
  readonly request_fid: number;
}

const signerApps = statement<SignerAppRow>(
  'signer_app_by_fid',
  `select fid, encode(key, 'hex') as key, request_fid
     from signer_key
    where fid = any($1::bigint[]) and key_type = 1 and request_fid is not null`,
);

/** @returns which app stands behind each signer key of these accounts; removed keys included, for old casts. */
export const selectSignerApps = (db: Database, fids: readonly number[]): Promise<SignerAppRow[]> =>
  db.read(signerApps, [fids]);
