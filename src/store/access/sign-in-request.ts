import type { Session } from '../../db/statement.js';
import { type RowOf, selectQuery, writeQuery } from '../query-function.js';

const deleteExpired = writeQuery(
  'sign_in_request_expired_delete',
  'delete from sign_in_request where expires_at <= :now',
).done();
const insert = writeQuery(
  'sign_in_request_insert',
  `insert into sign_in_request (token_hash, parameters, nonce, accepts_auth_address, client_ip, user_agent, origin, expires_at)
   values (:tokenHash, :parameters, :nonce, :acceptsAuthAddress, :clientIp, :userAgent, :origin?, :expiresAt)`,
).done();

export interface NewSignInRequest {
  /** SHA-256, 32 bytes. */
  readonly tokenHash: Buffer;
  /** JSON. */
  readonly parameters: string;
  readonly nonce: string;
  readonly acceptsAuthAddress: boolean;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly origin: string | null;
  readonly expiresAt: Date;
}

/** Stores a request and deletes expired ones. */
export const insertSignInRequest = async (session: Session, row: NewSignInRequest, now: Date): Promise<void> => {
  await deleteExpired(session, { now });
  await insert(session, { ...row });
};

const COLUMNS = `parameters, nonce, accepts_auth_address as "acceptsAuthAddress", client_ip as "clientIp",
  user_agent as "userAgent", origin, message, signature, fid, is_custody as "isCustody"`;

/** A request; the last four are null until somebody has signed in. */
export type SignInRequestRow = RowOf<'sign_in_request_by_token'>;

/** @returns a request that has not expired */
export const selectSignInRequest = selectQuery(
  'sign_in_request_by_token',
  `select ${COLUMNS} from sign_in_request where token_hash = :tokenHash and expires_at > :now`,
).first();

/** Stores the sign-in. @returns whether the request was there and had none; of concurrent calls only one returns true */
export const completeSignInRequest = writeQuery(
  'sign_in_request_complete',
  `update sign_in_request set message = :message, signature = :signature, fid = :fid, is_custody = :isCustody
   where token_hash = :tokenHash and expires_at > :now and fid is null returning fid`,
).hasRows();

/** Deletes a request with a sign-in. @returns it; undefined for one that waits, and for all but one of concurrent calls */
export const takeSignInRequest = writeQuery(
  'sign_in_request_take',
  `delete from sign_in_request where token_hash = :tokenHash and expires_at > :now and fid is not null returning ${COLUMNS}`,
).first();
