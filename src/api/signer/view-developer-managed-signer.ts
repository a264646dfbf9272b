import { invalidField } from '../../error.js';
import type { DeveloperManagedSigner } from '../../schema/social/signer.js';
import type { KeyStatusRow } from '../../store/access/signed-key-request.js';
import { viewKeyStatus } from './view-key-status.js';

/**
 * @param publicKey as in the request; the response has the same spelling
 * @throws AppError 'invalid' with property `public_key` for an unknown key
 */
export const viewDeveloperManagedSigner = (
  publicKey: string,
  row: KeyStatusRow,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: number },
): DeveloperManagedSigner => {
  const { status, fid, approvalUrl } = viewKeyStatus(row, publicUrl, now);
  if (status === 'generated') {
    throw invalidField('public_key', 'public_key is of no account, and your app registered no signed key for it');
  }
  return { public_key: publicKey, status, ...fid, ...(approvalUrl && { signer_approval_url: approvalUrl }) };
};
