import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import type { AuthAddressResponse } from '../../schema/social/auth-address.js';
import type { KeyStatusRow } from '../../store/access/signed-key-request.js';
import { viewKeyStatus } from '../signer/view-key-status.js';

/**
 * @param address as in the request; the response has the same spelling
 * @throws AppError 'invalid' with property `address` for an unknown address (GAPS section 2)
 */
export const viewAuthAddress = (
  address: string,
  row: KeyStatusRow,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: number },
): Static<typeof AuthAddressResponse> => {
  const { status, fid, approvalUrl } = viewKeyStatus(row, publicUrl, now);
  if (status === 'generated') {
    throw invalidField(
      'address',
      'address is no auth address of an account, and your app registered no signed key for it',
    );
  }
  return { address, status, ...fid, ...(approvalUrl && { auth_address_approval_url: approvalUrl }) };
};
