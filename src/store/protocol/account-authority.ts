import type { Database } from '../../db/database.js';
import { readQuery } from '../query-function.js';

/** Addresses that may sign for an account, other than in protocol messages. */
export interface AccountAddresses {
  /** 20 bytes; null when the account's registration is not stored. */
  readonly custody: Buffer | null;
  /** Addresses of 20 bytes, from the active auth keys. */
  readonly auth: readonly Buffer[];
}

const addresses = readQuery(
  'account_addresses',
  `select (select custody_address from account where fid = :fid) as custody,
          (select array_agg(substring(key from 13)) from signer_key where fid = :fid and key_type = 2 and active) as auth`,
).first();

/** @returns the addresses that may sign for an account in addition to its signers; none if it is not stored */
export const selectAccountAddresses = async (db: Database, fid: number): Promise<AccountAddresses> => {
  const row = await addresses(db, { fid });
  return { custody: row?.custody ?? null, auth: row?.auth ?? [] };
};

/**
 * @param key Ed25519 public key of 32 bytes
 * @returns the account of the app that requested the key, null if unknown; undefined when the key is not an active
 *   signer of this account
 */
export const selectAppKeyRequester = readQuery(
  'app_key_requester',
  'select request_fid as "requestFid" from signer_key where fid = :fid and key = :key and key_type = 1 and active',
).value('requestFid', (fid: number, key: Uint8Array) => ({ fid, key }));
