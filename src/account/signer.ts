import { AppError, invalidField } from '../error.js';
import type { RegisterUserReqBody } from '../schema/account/registration.js';
import type { Signers } from '../signer/signers.js';

export interface SignerDependencies {
  readonly signers: Signers;
}

/** Where the members of a signed key request are in the body. */
const MEMBERS: Readonly<Record<string, string>> = {
  signature: 'signer.signed_key_request_metadata_signature',
  deadline: 'signer.deadline',
  app_fid: 'signer.app_fid',
  signer_uuid: 'signer.uuid',
};

/** Runs `work`, and names the members of the body in its errors. */
const withMembers = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.property === undefined) throw error;
    const property = MEMBERS[error.property] ?? error.property;
    throw new AppError(error.kind, error.code, error.message, { property, cause: error.cause });
  }
};

/**
 * @param chosen a signer of the app that no account has yet, with the signed request of the app's account; undefined: a
 *   new signer
 * @returns the id of the signer
 * @throws AppError for faults of the signer or its signed request
 */
export const chooseSigner = async (
  { signers }: SignerDependencies,
  appId: string,
  chosen: RegisterUserReqBody['signer'],
): Promise<string> => {
  if (chosen === undefined) return (await signers.create(appId)).uuid;
  const { uuid, app_fid, deadline, signed_key_request_metadata_signature: signature } = chosen;
  return withMembers(async () => {
    const { state } = await signers.look(appId, uuid);
    if (state === 'approved' || state === 'revoked') {
      throw invalidField('signer_uuid', 'signer.uuid must be a signer that no account has or had.');
    }
    if (!Number.isSafeInteger(app_fid) || !Number.isSafeInteger(deadline)) {
      throw invalidField('app_fid', 'signer.app_fid and signer.deadline must be integers.');
    }
    return (await signers.register(appId, uuid, { app_fid, deadline, signature })).uuid;
  });
};
