import type { Database } from '../db/database.js';
import { AppError } from '../error.js';
import type { Signers } from '../signer/signers.js';
import {
  type AccountRegistrationRow,
  updateRegistrationDone,
  updateRegistrationRetry,
} from '../store/registry/account-registration.js';
import { draftUserData, type ProfileChange, profileParts } from '../write/profile.js';
import type { Writer } from '../write/writer.js';

export interface ProfileDependencies {
  readonly db: Database;
  readonly signers: Signers;
  readonly writer: Writer;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Called with the error of a profile that is given up. */
  readonly failed: (error: unknown, fid: number) => void;
}

/** A hub learns of a new account when its chain reader does, a few seconds after the transaction. */
export const PROFILE_RETRY_MS = 10_000;
const GIVE_UP_MS = 24 * 60 * 60_000;

/** Writes the messages of the profile with the new signer; those that are stored already are not written again. */
const writeParts = async (
  { signers, writer }: ProfileDependencies,
  { appId, signerId, profile }: AccountRegistrationRow,
): Promise<void> => {
  const signer = await signers.use(appId, signerId, 'UPDATE_PROFILE');
  for (const part of profileParts((profile ?? {}) as ProfileChange)) {
    await writer.write(signer, draftUserData(part), { property: 'metadata', unlessStored: true });
  }
};

/** Writes the profile of a registered account, or stores when it is tried again: the account exists in any case. */
export const writeProfile = async (deps: ProfileDependencies, registration: AccountRegistrationRow): Promise<void> => {
  const { db, clock, failed } = deps;
  const { fid, createdAt } = registration;
  try {
    await writeParts(deps, registration);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (clock() - createdAt.getTime() < GIVE_UP_MS) {
      return updateRegistrationRetry(db, fid, new Date(clock() + PROFILE_RETRY_MS));
    }
    failed(error, fid);
  }
  await updateRegistrationDone(db, fid);
};
