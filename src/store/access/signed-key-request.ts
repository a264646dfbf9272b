import { type Session, statement } from '../database.js';
import { keyHolder } from './account-by-key.js';

/** Kinds of keys that an account can take (KeyRegistry contract). */
export const KeyType = { signer: 1, authAddress: 2 } as const;
export type KeyType = (typeof KeyType)[keyof typeof KeyType];

/** A key that an app asks accounts to take, signed by its own account. */
export interface SignedKeyRequestRow {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly key_type: number;
  readonly app_id: string;
  readonly request_fid: number;
  /** 20 bytes. */
  readonly request_signer: Uint8Array;
  /** 65 bytes. */
  readonly signature: Uint8Array;
  readonly deadline: Date;
  readonly redirect_url: string | null;
  readonly sponsor_fid: number | null;
  readonly sponsor_signature: Uint8Array | null;
  readonly sponsored_by_service: boolean;
  readonly token: string;
  readonly created_at: Date;
}

/**
 * Stores a request in the place of an earlier one of the same app for the same key. The token stays what it was, so
 * that a page which the user has open shows the new request.
 */
export const upsertSignedKeyRequest = async (session: Session, row: SignedKeyRequestRow): Promise<void> => {
  const values = {
    request_fid: row.request_fid,
    request_signer: Buffer.from(row.request_signer),
    signature: Buffer.from(row.signature),
    deadline: row.deadline,
    redirect_url: row.redirect_url,
    sponsor_fid: row.sponsor_fid,
    sponsor_signature: row.sponsor_signature && Buffer.from(row.sponsor_signature),
    sponsored_by_service: row.sponsored_by_service,
    created_at: row.created_at,
  };
  await session.kysely
    .insertInto('signed_key_request')
    .values({ key: Buffer.from(row.key), key_type: row.key_type, app_id: row.app_id, token: row.token, ...values })
    .onConflict((conflict) => conflict.columns(['key', 'key_type', 'app_id']).doUpdateSet(values))
    .execute();
};

/** What is known of a key from an app's point of view. */
export interface KeyStandingRow {
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

const standing = statement<KeyStandingRow>(
  'key_standing',
  `select k.fid, k.active, r.token, r.deadline, r.request_fid as "requestFid", r.request_signer as "requestSigner"
     from (select $1::bytea as key, $2::smallint as key_type, $3::uuid as app_id) a
     left join managed_signer m on a.key_type = 1 and m.public_key = a.key ${keyHolder('a.key', 'a.key_type')}
     left join signed_key_request r on r.key = a.key and r.key_type = a.key_type and r.app_id = a.app_id`,
);

/** @param key 32 bytes */
export const selectKeyStanding = async (
  session: Session,
  key: Uint8Array,
  keyType: KeyType,
  appId: string,
): Promise<KeyStandingRow> => (await session.read(standing, [key, keyType, appId]))[0] as KeyStandingRow;

/** What the approval page shows and needs. */
export interface ApprovalRow extends KeyStandingRow {
  readonly key: Buffer;
  readonly keyType: KeyType;
  readonly deadline: Date;
  readonly requestFid: number;
  readonly requestSigner: Buffer;
  readonly signature: Buffer;
  readonly redirectUrl: string | null;
  /** Who pays for the registration: an account, or the operator (`sponsored`). */
  readonly sponsorFid: number | null;
  readonly sponsored: boolean;
  /** The signer_uuid of a key that is kept here. */
  readonly signerId: string | null;
}

const byToken = statement<ApprovalRow>(
  'key_approval_by_token',
  `select r.key, r.key_type as "keyType", r.token, r.deadline, r.request_fid as "requestFid",
          r.request_signer as "requestSigner", r.signature, r.redirect_url as "redirectUrl",
          r.sponsor_fid as "sponsorFid", r.sponsored_by_service as sponsored, m.id as "signerId", k.fid, k.active
     from signed_key_request r
     left join managed_signer m on r.key_type = 1 and m.public_key = r.key ${keyHolder('r.key', 'r.key_type')}
    where r.token = $1`,
);

/** @returns the request whose approval page has this token; undefined when there is none. */
export const selectApproval = async (session: Session, token: string): Promise<ApprovalRow | undefined> =>
  (await session.read(byToken, [token]))[0];

/** What goes on chain with a key. */
export interface KeyRequestClaim {
  readonly requestFid: number;
  readonly requestSigner: Buffer;
  readonly signature: Buffer;
  readonly deadline: Date;
}

/** @returns the request for a key that lasts longest, whichever app made it; undefined when there is none. */
export const selectLatestKeyRequest = async (
  session: Session,
  key: Uint8Array,
  keyType: KeyType,
): Promise<KeyRequestClaim | undefined> =>
  (
    await session.select<KeyRequestClaim>(
      `select request_fid as "requestFid", request_signer as "requestSigner", signature, deadline
         from signed_key_request where key = $1 and key_type = $2 order by deadline desc limit 1`,
      [key, keyType],
    )
  )[0];

/** @returns the account that holds a key, or held it, whatever anybody asked for; undefined when none ever did. */
export const selectKeyHolder = async (
  session: Session,
  key: Uint8Array,
  keyType: KeyType,
): Promise<{ fid: number; active: boolean } | undefined> =>
  (
    await session.select<{ fid: number; active: boolean }>(
      `select k.fid, k.active from (select $1::bytea as key, $2::smallint as key_type) a
         left join managed_signer m on a.key_type = 1 and m.public_key = a.key
         ${keyHolder('a.key', 'a.key_type')}
        where k.fid is not null`,
      [key, keyType],
    )
  )[0];
