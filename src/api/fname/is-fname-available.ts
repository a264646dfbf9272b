import Type from 'typebox';
import { invalidField } from '../../error.js';
import { checkUsername } from '../../protocol/check/username.js';
import { Rejection } from '../../protocol/verification-result.js';
import { FnameAvailabilityResponse } from '../../schema/account/fname.js';
import { selectNameProof } from '../../store/registry/fname.js';
import { operation } from '../http/operation.js';

/** @throws AppError invalid for a text that no account can have as fname */
const requireName = (fname: string): void => {
  try {
    checkUsername(fname);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw invalidField('fname', `fname: ${error.message}`);
  }
  if (fname.includes('.')) throw invalidField('fname', 'fname must be a name without a domain.');
};

export const isFnameAvailable = operation({
  id: 'is-fname-available',
  path: '/v2/social/fname/availability/',
  tags: ['fname'],
  summary: 'Tell whether a name is free, by the stored proofs and the name registry.',
  query: Type.Object({ fname: Type.String() }),
  response: FnameAvailabilityResponse,
  errors: [400, 500],
  handle: async ({ query: { fname } }, { db, accounts }) => {
    requireName(fname);
    const stored = await selectNameProof(db, fname);
    if (stored && stored.fid !== 0) return { available: false };
    const current = await accounts.names?.current(fname);
    return { available: current === undefined || current.to === 0 };
  },
});
