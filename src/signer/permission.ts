import type { SharedSignerPermission } from '../schema/social/signer.js';

/**
 * What a write may need of a signer; `WRITE_ALL` where no narrower permission speaks of it (blocks), `ANY` where the
 * permission to write anything is enough (marks of what was seen).
 */
export type SignerPermission = Exclude<SharedSignerPermission, 'READ_ONLY' | 'NONE'> | 'ANY';

/** What a signer may do unless somebody narrows it (`castellan signer permit`): the interface has no way to say it. */
export const DEFAULT_PERMISSIONS: readonly SharedSignerPermission[] = ['WRITE_ALL'];

/** @returns whether these permissions allow a write; READ_ONLY and NONE forbid all, whatever stands beside them. */
export const allows = (permissions: readonly string[], needed: SignerPermission): boolean =>
  !permissions.includes('READ_ONLY') &&
  !permissions.includes('NONE') &&
  (needed === 'ANY' ? permissions.length > 0 : permissions.includes('WRITE_ALL') || permissions.includes(needed));
