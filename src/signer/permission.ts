import type { SharedSignerPermission } from '../schema/social/signer.js';

/**
 * The permission that a write needs: `WRITE_ALL` if no narrower permission covers it (blocks), `ANY` if any write
 * permission suffices (marking notifications as seen).
 */
export type SignerPermission = Exclude<SharedSignerPermission, 'READ_ONLY' | 'NONE'> | 'ANY';

/** Permissions of a new signer. The API cannot restrict them; `castellan signer permit` can. */
export const DEFAULT_PERMISSIONS: readonly SharedSignerPermission[] = ['WRITE_ALL'];

/** @returns whether these permissions allow a write; READ_ONLY and NONE forbid all writes, even together with others */
export const allows = (permissions: readonly string[], needed: SignerPermission): boolean =>
  !permissions.includes('READ_ONLY') &&
  !permissions.includes('NONE') &&
  (needed === 'ANY' ? permissions.length > 0 : permissions.includes('WRITE_ALL') || permissions.includes(needed));
