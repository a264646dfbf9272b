import { invalidField } from '../../error.js';
import type { DeveloperManagedSigner } from '../../schema/social/signer.js';
import type { KeyStandingRow } from '../../store/access/signed-key-request.js';
import { viewKeyStanding } from './view-key-status.js';

/**
 * @param publicKey as the caller wrote it: it comes back like that.
 * @throws AppError 'invalid' with property `public_key` for a key of which nothing is known here.
 */
export const viewDeveloperManagedSigner = (
  publicKey: string,
  row: KeyStandingRow,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: number },
): DeveloperManagedSigner => {
  const { status, fid, approvalUrl } = viewKeyStanding(row, publicUrl, now);
  if (status === 'generated') {
    throw invalidField('public_key', 'public_key is of no account, and your app registered no signed key for it');
  }
  return { public_key: publicKey, status, ...fid, ...(approvalUrl && { signer_approval_url: approvalUrl }) };
};
