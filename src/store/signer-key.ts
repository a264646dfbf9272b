import { insertRows, rowSource } from './bulk.js';
import type { Session } from './database.js';

/** A key that may sign for an account, or might once. */
export interface SignerKeyRow {
  readonly fid: number;
  readonly key: Uint8Array;
  /** 1 Ed25519 signer, 2 auth address (padded to 32 bytes). */
  readonly key_type: number;
  readonly active: boolean;
  /** Where on the chain it was decided; 0 for a key that a protocol message registered. */
  readonly block_number: number;
  readonly log_index: number;
  readonly decided_at: Date;
  /** The account of the app that asked for the key. */
  readonly request_fid: number | null;
}

/** Writes the keys; @returns those whose row changed. A key decided onchain is not overruled by a message. */
export const upsertSignerKeys = async (
  session: Session,
  rows: readonly SignerKeyRow[],
): Promise<{ fid: number; key: Buffer; key_type: number; active: boolean }[]> =>
  insertRows(
    session,
    'signer_key',
    {
      fid: 'bigint',
      key: 'bytea',
      key_type: 'integer',
      active: 'boolean',
      block_number: 'bigint',
      log_index: 'integer',
      decided_at: 'timestamptz',
      request_fid: 'bigint',
    },
    rows,
    `on conflict (fid, key) do update set key_type = excluded.key_type, active = excluded.active,
       block_number = excluded.block_number, log_index = excluded.log_index, decided_at = excluded.decided_at,
       request_fid = excluded.request_fid
      where excluded.block_number >= signer_key.block_number
        and (signer_key.active, signer_key.block_number, signer_key.log_index, signer_key.decided_at)
          is distinct from (excluded.active, excluded.block_number, excluded.log_index, excluded.decided_at)
     returning fid, key, key_type, active`,
  );

/** @returns what is known of these keys; unknown ones are left out. */
export const selectSignerKeys = async (
  session: Session,
  pairs: readonly { readonly fid: number; readonly key: Uint8Array }[],
): Promise<{ fid: number; key: Buffer; key_type: number; active: boolean }[]> => {
  if (pairs.length === 0) return [];
  const source = rowSource({ fid: 'bigint', key: 'bytea' }, pairs);
  return session.select(
    `select s.fid, s.key, s.key_type, s.active from (${source.select}) k
       join signer_key s on s.fid = k.fid and s.key = k.key`,
    source.params,
  );
};

/** @returns all keys of these accounts. */
export const selectSignerKeysOf = async (session: Session, fids: readonly number[]): Promise<SignerKeyRow[]> =>
  session.select<SignerKeyRow>('select * from signer_key where fid = any($1)', [fids]);

/** Who may sign with a key. */
export interface KeyHolder {
  readonly fid: number;
  readonly key: Buffer;
  /** Registered by an onchain event, not by a message. */
  readonly isOnchain: boolean;
  readonly request_fid: number | null;
}

/** @returns the accounts for which these keys are active */
export const selectKeyHolders = (session: Session, keys: readonly Uint8Array[]): Promise<KeyHolder[]> =>
  session.select<KeyHolder>(
    `select fid, key, block_number > 0 as "isOnchain", request_fid from signer_key
      where key = any($1::bytea[]) and active`,
    [keys],
  );
