import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';
import { keyHolder } from './account-by-key.js';

/** Kinds of keys that an account can take (KeyRegistry contract). */
export const KeyType = { signer: 1, authAddress: 2 } as const;
export type KeyType = (typeof KeyType)[keyof typeof KeyType];

const KEY = ['key', 'key_type', 'app_id'] as const;
const REQUEST = [
  'request_fid',
  'request_signer',
  'signature',
  'deadline',
  'redirect_url',
  'sponsor_fid',
  'sponsor_signature',
  'sponsored_by_service',
  'created_at',
] as const;

/**
 * Stores a request for a key that an app asks accounts to take, signed by its own account (bytes of key, address and
 * signatures: 32, 20, 65), in the place of an earlier one of the same app for the same key. The token stays what it was, so
 * that a page which the user has open shows the new request.
 */
export const upsertSignedKeyRequest = writeQuery(
  'signed_key_request_upsert',
  insertText(
    'signed_key_request',
    ['token', ...KEY, ...REQUEST],
    `on conflict (${KEY.join(', ')}) do update set ${REQUEST.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  ),
).done();

/** The state of a key from an app's point of view. */
export interface KeyStatusRow {
  /** The account that holds the key, or held it; null while none ever did. */
  readonly fid: number | null;
  /** Whether that account holds it now; null while none ever did. */
  readonly active: boolean | null;
  /** Of the app's latest request; all null when it made none. */
  readonly token: string | null;
  readonly deadline: Date | null;
  readonly requestFid: number | null;
  readonly requestSigner: Buffer | null;
}

/** @param key 32 bytes */
export const selectKeyStatus = readQuery(
  'key_standing',
  `select k.fid, k.active, r.token, r.deadline, r.request_fid as "requestFid", r.request_signer as "requestSigner"
     from (select :key::bytea as key, :keyType::smallint as key_type, :appId::uuid as app_id) a
     left join managed_signer m on a.key_type = 1 and m.public_key = a.key ${keyHolder('a.key', 'a.key_type')}
     left join signed_key_request r on r.key = a.key and r.key_type = a.key_type and r.app_id = a.app_id`,
).one((key: Uint8Array, keyType: KeyType, appId: string) => ({ key, keyType, appId }));

/** A request as the approval page shows it. */
export interface ApprovalRow extends KeyStatusRow {
  readonly key: Buffer;
  readonly keyType: KeyType;
  readonly deadline: Date;
  readonly requestFid: number;
  readonly requestSigner: Buffer;
  readonly signature: Buffer;
  readonly redirectUrl: string | null;
  /** Sponsor of the registration: an account, or the operator (`sponsored`). */
  readonly sponsorFid: number | null;
  readonly sponsored: boolean;
  /** signer_uuid, if the private key is stored here. */
  readonly signerId: string | null;
  /** The app that asks for the key. */
  readonly appId: string;
}

/** @returns the request whose approval page has this token; undefined when there is none. */
export const selectApproval = readQuery(
  'key_approval_by_token',
  `select r.key as "key!", r.key_type as "keyType!", r.token, r.deadline as "deadline!", r.request_fid as "requestFid!",
          r.request_signer as "requestSigner!", r.signature as "signature!", r.redirect_url as "redirectUrl",
          r.sponsor_fid as "sponsorFid", r.sponsored_by_service as "sponsored!", m.id as "signerId", r.app_id as "appId!", k.fid, k.active
     from signed_key_request r
     left join managed_signer m on r.key_type = 1 and m.public_key = r.key ${keyHolder('r.key', 'r.key_type')}
    where r.token = :token`,
).first((token: string) => ({ token }));

/**
 * Notes the transaction with which the operator registers the key.
 * @returns whether none was sent before, or it failed
 */
export const setSponsorTransaction = writeQuery(
  'key_sponsor_transaction_set',
  `update signed_key_request set sponsor_transaction_id = :transactionId::uuid
    where token = :token and (sponsor_transaction_id is null or exists (
      select from registry_transaction t where t.transaction_id = sponsor_transaction_id and t.state = 'failed'))
   returning token`,
).hasRows();

/** @returns the request for a key that lasts longest, whichever app made it; undefined when there is none. */
export const selectLatestKeyRequest = selectQuery(
  'select_latest_key_request',
  `select request_fid as "requestFid", request_signer as "requestSigner", signature, deadline
    from signed_key_request where key = :key and key_type = :keyType order by deadline desc limit 1`,
).first((key: Uint8Array, keyType: KeyType) => ({ key, keyType }));

/** @returns the account that holds a key, or held it, requested or not; undefined when none ever did. */
export const selectAccountByKey = selectQuery(
  'select_account_by_key',
  `select k.fid as "fid!", k.active as "active!" from (select :key::bytea as key, :keyType::smallint as key_type) a
     left join managed_signer m on a.key_type = 1 and m.public_key = a.key
     ${keyHolder('a.key', 'a.key_type')}
    where k.fid is not null`,
).first((key: Uint8Array, keyType: KeyType) => ({ key, keyType }));
