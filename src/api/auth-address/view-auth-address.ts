import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import type { AuthAddressResponse } from '../../schema/social/auth-address.js';
import type { KeyStandingRow } from '../../store/access/signed-key-request.js';
import { viewKeyStanding } from '../signer/view-key-status.js';

/**
 * @param address as the caller wrote it: it comes back like that.
 * @throws AppError 'invalid' with property `address` for an address of which nothing is known here (GAPS section 2).
 */
export const viewAuthAddress = (
  address: string,
  row: KeyStandingRow,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: number },
): Static<typeof AuthAddressResponse> => {
  const { status, fid, approvalUrl } = viewKeyStanding(row, publicUrl, now);
  if (status === 'generated') {
    throw invalidField(
      'address',
      'address is no auth address of an account, and your app registered no signed key for it',
    );
  }
  return { address, status, ...fid, ...(approvalUrl && { auth_address_approval_url: approvalUrl }) };
};
