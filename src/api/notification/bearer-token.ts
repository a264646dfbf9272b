import { AppError } from '../../error.js';
import { type Jfs, JfsError, jfsError, parseJfs } from '../../miniapp/jfs.js';
import { selectSignerKeys } from '../../store/protocol/signer-key.js';
import type { Services } from '../http/service.js';

/** Limits how long a stolen token can be used. */
const MAX_TTL_SECONDS = 86_400;
/** Key type of signers; the other type is that of auth addresses. */
const SIGNER = 1;

const refuse = (message: string): AppError =>
  new AppError('unauthorized', 'Unauthorized', `The bearer token ${message}`, { property: 'Authorization' });

const parse = (authorization: string): Jfs => {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined)
    throw refuse('is missing: send the header Authorization: Bearer <header.payload.signature>.');
  try {
    return parseJfs(token);
  } catch (error) {
    if (error instanceof JfsError) throw refuse(error.message);
    throw error;
  }
};

/** @returns the claims of the payload; an empty object when it is not a JSON object */
const claimsOf = (payload: Uint8Array): { readonly exp?: unknown; readonly aud?: unknown } => {
  try {
    return Object(JSON.parse(Buffer.from(payload).toString()));
  } catch {
    return {};
  }
};

const checkClaims = (payload: Uint8Array, { clock, publicUrl }: Pick<Services, 'clock' | 'publicUrl'>): void => {
  const { exp, aud } = claimsOf(payload);
  if (typeof exp !== 'number') throw refuse('has a payload without exp, the Unix seconds at which it ends.');
  const now = clock() / 1000;
  if (exp <= now) throw refuse('has ended: sign a new one.');
  if (exp > now + MAX_TTL_SECONDS) throw refuse('may end a day from now at the latest.');
  // Tokens of actions are signed by the same keys and known to other apps, so `aud` must be this service.
  if (aud !== undefined && aud !== publicUrl) throw refuse(`is for another audience than ${publicUrl}.`);
};

/**
 * Authenticates an account by a self-signed token: a compact JSON Farcaster Signature by a signer of the account, with
 * the payload `{"exp": <Unix seconds>}` (docs.farcaster.xyz, authentication of the client interface) and optionally
 * PUBLIC_URL as `aud`.
 * @returns the fid of the account
 * @throws AppError 'unauthorized' with property `Authorization` for an invalid token
 */
export const readBearerToken = async (
  authorization: string,
  services: Pick<Services, 'clock' | 'db' | 'networks' | 'publicUrl'>,
): Promise<number> => {
  const jfs = parse(authorization);
  checkClaims(jfs.payload, services);
  if (jfs.type !== 'app_key') throw refuse('must be signed by a signer of the account (type app_key).');
  const fault = await jfsError(jfs, services.networks);
  if (fault !== undefined) throw refuse(fault);
  const [key] = await selectSignerKeys(services.db, [jfs]);
  if (key?.keyType !== SIGNER || !key.active) throw refuse(`is signed by a key that is no signer of fid ${jfs.fid}.`);
  return jfs.fid;
};
