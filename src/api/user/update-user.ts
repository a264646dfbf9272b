import { UserDataType } from '@farcaster/core';
import type { Database } from '../../db/database.js';
import { invalidField } from '../../error.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { UpdateUserPartialResponse, UpdateUserReqBody } from '../../schema/social/user-update.js';
import { selectProofsOfNames } from '../../store/protocol/username-proof.js';
import { selectAccounts } from '../../store/query/account.js';
import {
  checkProfilePart,
  draftUserData,
  type ProfileFacts,
  type ProfilePart,
  profileParts,
} from '../../write/profile.js';
import { statusOf, toAppError } from '../http/error.js';
import { HandlerResponse, operation } from '../http/operation.js';

const readFacts = async (
  db: Database,
  fid: number,
  parts: readonly ProfilePart[],
  now: number,
): Promise<ProfileFacts> => {
  const names = parts.flatMap(({ type, value }) => (type === UserDataType.USERNAME ? [value] : []));
  const [[account], proofs] = await Promise.all([selectAccounts(db, [fid]), selectProofsOfNames(db, names)]);
  const nameOwners = new Map(proofs.map((proof) => [proof.name, proof.fid]));
  const isPro = (account?.proExpiresAt ?? 0) > now;
  return { fid, isPro, verifications: account?.verifications ?? [], nameOwners };
};

export const updateUser = operation({
  id: 'update-user',
  method: 'PATCH',
  path: '/v2/social/user/',
  tags: ['User'],
  title: 'Update a profile',
  summary:
    'Change members of a profile; an empty text takes one away, but a location and primary addresses can only be ' +
    'replaced. Each becomes a message of its own: 200 when all are ' +
    'stored, 207 when some are, with what was wrong with the others, 400 when none is.',
  // One message per changed member.
  cost: { fixed: 20 },
  body: UpdateUserReqBody,
  bodyExample: {
    signer_uuid: EXAMPLE_SIGNER_UUID,
    bio: 'Keeper of the harbor.',
    location: { latitude: 52.52, longitude: 13.4 },
  },
  response: OperationResponse,
  outcomes: { 207: UpdateUserPartialResponse },
  errors: [400, 403, 404, 409, 500, 504],
  handle: async ({ body, caller, log }, { db, clock, signers, writer }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'UPDATE_PROFILE');
    const parts = profileParts(body);
    if (parts.length === 0) throw invalidField('body', 'the body must name something to change beside signer_uuid');
    const facts = await readFacts(db, signer.fid, parts, clock());
    const results = await Promise.allSettled(
      parts.map(async (part) => {
        checkProfilePart(part, facts);
        const property = part.path.split('.', 1)[0] as string;
        await writer.write(signer, draftUserData(part), { property, unlessStored: true });
      }),
    );
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [toAppError(result.reason)] : []));
    if (failures.length === 0) return { success: true };
    // If nothing was stored, an error of the service or the hub is reported in preference to one of the request.
    if (failures.length === parts.length) throw failures.find((error) => statusOf(error) >= 500) ?? failures[0];
    for (const error of failures) {
      if (statusOf(error) >= 500) log.warn({ err: error.cause ?? error }, 'a part of a profile could not be written');
    }
    return new HandlerResponse(207, { success: false, errors: failures.map(({ message }) => ({ message })) });
  },
});
